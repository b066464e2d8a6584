"""The hand features of appendix A, imported as `pidm.features`.

A feature is declared once, in the module of its family; the catalogue, the names in system files and the
docs come from there. `HandColumns` computes them for whole batches of hands.
"""

from __future__ import annotations

from pidm.core.box import Range

# Importing the families declares their features.
from pidm.features import (  # noqa: F401
    counts_by_tricks,
    distribution,
    dynamic,
    hand_quality,
    high_cards,
    suit_quality,
)
from pidm.features.cards import Cards, Column
from pidm.features.columns import HandColumns, column
from pidm.features.declare import (
    FeatureClass,
    Over,
    catalogue,
    classes,
    hand_feature,
    remove,
    shape_feature,
    suit_feature,
    sum_feature,
    trump_feature,
)
from pidm.features.key import Feature, Sum
from pidm.features.partner import Bounds, PartnerShown

__all__ = [
    "Feature",
    "Sum",
    "FeatureClass",
    "Over",
    "Range",
    "Bounds",
    "Cards",
    "Column",
    "HandColumns",
    "PartnerShown",
    "catalogue",
    "classes",
    "column",
    "suit_feature",
    "trump_feature",
    "sum_feature",
    "shape_feature",
    "hand_feature",
    "remove",
]
