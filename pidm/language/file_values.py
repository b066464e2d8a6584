"""The values that stand in a system file: how each is checked, and what an editor is told of it.

Importing this module imports pydantic: a system that comes from the store does without it.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NoReturn

from pydantic import PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from pidm.features import classes
from pidm.language.declarations import AlternativeSpec, CardEntry, NeverSpec
from pidm.language.source import Mapping, Sequence, Text, mark_of, suggest

_FORCING = ("round", "game", "no", "takeout", "correct", "invite", "signoff")
_LAYERS = ("convention", "system", "standard", "natural")
FEATURES = tuple(declared.name for declared in classes())
_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}

CardAndKind = tuple[tuple[CardEntry, ...], bool]


def fail(node: Any, message: str) -> NoReturn:
    """A mistake at the place of a node."""
    raise PydanticCustomError("place", "{message}", {"message": message, "mark": mark_of(node)})


def found_instead(node: Any) -> str:
    """What stands there, for messages."""
    if isinstance(node, Text):
        return f"`{node}`" if node else "nothing"
    return "a list" if isinstance(node, Sequence) else "a mapping (`key: value`)"


def _text(node: Any) -> Text:
    if isinstance(node, Text) and node:
        return node
    fail(node, f"expected a text, found {found_instead(node)}")


def _texts(node: Any) -> tuple[Text, ...]:
    if isinstance(node, Sequence):
        return tuple(_text(item) for item in node)
    if isinstance(node, Text) and node:
        return (node,)
    fail(node, f"expected a text or a list of texts, found {found_instead(node)}")


def _name(node: Any) -> Text:
    text = _text(node)
    if not re.fullmatch(r"\w{1,100}", text):
        fail(node, f"expected a name of letters, digits and underscores such as `jacoby_2nt`, found `{text}`")
    return text


def _names(node: Any) -> tuple[Text, ...]:
    return tuple(_name(text) for text in _texts(node))


def _number(node: Any) -> int:
    text = _text(node)
    if not re.fullmatch(r"[+-]?(0|[1-9]\d{0,3})", text):
        fail(node, f"expected a whole number such as 10 or -5, found `{text}`")
    return int(text)


def _layer(node: Any) -> str:
    text = _text(node)
    if text not in _LAYERS:
        fail(node, f"the layer `{text}` is unknown; {suggest(text, _LAYERS)}")
    return str(text)


def _forcing(node: Any) -> Text:
    text = _text(node)
    if text not in _FORCING and not re.fullmatch(r"to \S+", text):
        advice = suggest(text, [*_FORCING, "to 3M"])
        fail(node, f"`forcing: {text}` is unknown; {advice}")
    return text


def _tells(node: Any) -> Text:
    text = _text(node)
    if text != "nothing":
        fail(node, f"expected `tells: nothing`, found `{text}`")
    return text


def _shows(node: Any) -> tuple[AlternativeSpec, ...]:
    if isinstance(node, Sequence) and node:
        return tuple(_alternative(item) for item in node)
    if isinstance(node, Text) and node:
        return (AlternativeSpec(node),)
    fail(node, f"expected what the call shows (`any` if nothing in particular), found {found_instead(node)}")


def _alternative(node: Any) -> AlternativeSpec:
    if not isinstance(node, Mapping):
        return AlternativeSpec(_text(node))
    for key in node:
        if key not in ("shows", "priority"):
            fail(key, f"unknown key `{key}`; {suggest(key, ('shows', 'priority'))}")
    if "shows" not in node:
        fail(node, "the key `shows` is missing")
    values = {str(key): value for key, value in node.items()}
    return AlternativeSpec(_text(values["shows"]), _number(values.get("priority", Text("0"))))


def _never(node: Any) -> tuple[NeverSpec, ...]:
    found: list[NeverSpec] = []
    for item in node if isinstance(node, Sequence) else [node]:
        if isinstance(item, Mapping):
            found += [NeverSpec(key, _texts(value)) for key, value in item.items()]
        else:
            found.append(NeverSpec(_text(item), ()))
    return tuple(found)


def _card(node: Any) -> CardAndKind:
    """The entries of a list of names or of a mapping name: on/off; and whether it was a list."""
    if isinstance(node, Mapping):
        entries = []
        for key, value in node.items():
            switch = _SWITCH.get(str(value).lower()) if isinstance(value, Text) else None
            if switch is None:
                fail(value, f"expected `on` or `off` for `{key}`, found {found_instead(value)}")
            entries.append(CardEntry(_name(key), switch))
        return tuple(entries), False
    if isinstance(node, Text) and not node:
        return (), True
    return tuple(CardEntry(name, True) for name in _names(node)), True


def _counts(node: Any) -> tuple[tuple[Text, Text], ...]:
    """Names of feature classes, each with the one to be asked instead."""
    if not isinstance(node, Mapping):
        fail(node, f"expected features such as `hcp: hcp_by_tricks`, found {found_instead(node)}")
    for key, value in node.items():
        for name in (key, _text(value)):
            if name not in FEATURES:
                fail(name, f"no feature `{name}`; {suggest(name, FEATURES)}")
    return tuple(node.items())


def _examples(node: Any) -> tuple[Text, ...]:
    """Texts; `AUCTION: HAND -> CALL` without quotes is a mapping to YAML and joined again here."""
    items = node if isinstance(node, Sequence) else [node]
    found: list[Text] = []
    for item in items:
        if isinstance(item, Mapping):
            found += [Text(f"{key}: {_text(value)}", key.mark) for key, value in item.items()]
        else:
            found.append(_text(item))
    return tuple(found)


_WORDS: dict[str, Any] = {"type": ["string", "number", "boolean"]}
_ONE_OR_MORE = {"anyOf": [_WORDS, {"type": "array", "items": _WORDS}]}
_NAME = {"type": "string", "pattern": r"^\w+$"}
_NAME_OR_MORE = {"anyOf": [_NAME, {"type": "array", "items": _NAME}]}
_FORCING_SCHEMA = {"anyOf": [{"enum": [*_FORCING, False]}, {"type": "string", "pattern": r"^to \S+$"}]}
_ALTERNATIVE = {
    "type": "object",
    "properties": {
        "shows": _WORDS | {"description": "What the call shows in this case."},
        "priority": {"type": "integer", "description": "Added to the priority of the line."},
    },
    "required": ["shows"],
    "additionalProperties": False,
}
SHOWS_SCHEMA = {
    "anyOf": [_WORDS, {"type": "array", "minItems": 1, "items": {"anyOf": [_WORDS, _ALTERNATIVE]}}]
}
_NEVER = {"anyOf": [_WORDS, {"type": "object", "additionalProperties": _ONE_OR_MORE}]}
_NEVER_SCHEMA = {"anyOf": [_NEVER, {"type": "array", "items": _NEVER}]}
_CARD_SCHEMA = {
    "anyOf": [
        {"type": "array", "items": _NAME},
        {"type": "object", "additionalProperties": {"enum": ["on", "off", "yes", "no", True, False]}},
    ]
}
_EXAMPLE = {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]}
_EXAMPLES_SCHEMA = {"anyOf": [_EXAMPLE, {"type": "array", "items": _EXAMPLE}]}


# Plain validators: what they return stands as it is, so that texts keep their places.
Words = Annotated[Text, PlainValidator(_text), WithJsonSchema(_WORDS)]
SomeWords = Annotated[Text | None, PlainValidator(_text), WithJsonSchema(_WORDS)]
ManyWords = Annotated[tuple[Text, ...], PlainValidator(_texts), WithJsonSchema(_ONE_OR_MORE)]
Name = Annotated[Text | None, PlainValidator(_name), WithJsonSchema(_NAME)]
Names = Annotated[tuple[Text, ...], PlainValidator(_names), WithJsonSchema(_NAME_OR_MORE)]
SomeNames = Annotated[tuple[Text, ...] | None, PlainValidator(_names), WithJsonSchema(_NAME_OR_MORE)]
Number = Annotated[int, PlainValidator(_number), WithJsonSchema({"type": "integer"})]
Layer = Annotated[str | None, PlainValidator(_layer), WithJsonSchema({"enum": list(_LAYERS)})]
Forcing = Annotated[Text | None, PlainValidator(_forcing), WithJsonSchema(_FORCING_SCHEMA)]
Tells = Annotated[Text | None, PlainValidator(_tells), WithJsonSchema({"enum": ["nothing"]})]
Shows = Annotated[tuple[AlternativeSpec, ...], PlainValidator(_shows), WithJsonSchema(SHOWS_SCHEMA)]
Never = Annotated[tuple[NeverSpec, ...], PlainValidator(_never), WithJsonSchema(_NEVER_SCHEMA)]
Examples = Annotated[tuple[Text, ...], PlainValidator(_examples), WithJsonSchema(_EXAMPLES_SCHEMA)]
Counts = Annotated[
    tuple[tuple[Text, Text], ...],
    PlainValidator(_counts),
    WithJsonSchema({"type": "object", "additionalProperties": {"enum": list(FEATURES)}}),
]
Card = Annotated[CardAndKind | None, PlainValidator(_card), WithJsonSchema(_CARD_SCHEMA)]
