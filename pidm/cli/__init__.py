"""The command `pidm`."""

from __future__ import annotations


def main() -> None:
    """Run the command line."""
    from pidm.cli.app import app

    app()
