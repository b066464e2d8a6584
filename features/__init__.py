"""The hand features, imported as `pidm.features`."""
