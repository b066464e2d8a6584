"""Counts: which features are asked of a hand where the rules speak of others, as a convention says."""

from __future__ import annotations

from collections.abc import Mapping

from pidm.features import Feature, Sum


class Counts:
    """Maps the features of rules to those that are asked.

    It concerns features of the whole hand; `hcp(S)`, the points of a suit, stay what they are.
    """

    def __init__(self, classes: Mapping[str, str]):
        """`classes`: names of feature classes, each with the one to ask instead."""
        self.classes = dict(classes)
        self._known: dict[Feature, Feature] = {}

    def __bool__(self) -> bool:
        return bool(self.classes)

    def __str__(self) -> str:
        """In words, `by tricks`: by what the features that are asked add to the names of the others."""
        added = [asked.removeprefix(f"{name}_") for name, asked in self.classes.items()]
        words = (text if text.startswith("by_") else f"by_{text}" for text in added)
        return " and ".join(dict.fromkeys(text.replace("_", " ") for text in words))

    def of(self, feature: Feature) -> Feature:
        """What is asked where a rule speaks of this feature."""
        found = self._known.get(feature)
        if found is None:
            found = self._known[feature] = self._find(feature)
        return found

    def _find(self, feature: Feature) -> Feature:
        if isinstance(feature, Sum):
            return Sum.of([(coefficient, self.of(part)) for coefficient, part in feature.terms])
        asked = self.classes.get(feature.name)
        if asked is None or not feature.declaration.over.is_whole(feature.args):
            return feature
        return Feature.parse(f"{asked}({','.join(feature.args)})" if feature.args else asked)
