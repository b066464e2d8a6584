"""The form of a system file: pydantic models, mistakes in a player's words, the JSON schema for editors.

Importing this module imports pydantic: a system that comes from the store does without it.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, NoReturn

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from pidm.errors import SystemFileError
from pidm.features import classes
from pidm.language import editor_words
from pidm.language.declarations import AlternativeSpec, BlockSpec, CardEntry, FileSpec, LineSpec, NeverSpec
from pidm.language.source import (
    MAX_MISTAKES,
    Mapping,
    Mark,
    Sequence,
    Text,
    decoded,
    mark_of,
    mistake,
    parse,
    suggest,
)

_FORCING = ("round", "game", "no", "takeout", "correct", "invite", "signoff")
_LAYERS = ("convention", "system", "standard", "natural")
FEATURES = tuple(declared.name for declared in classes())
_SWITCH = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}

CardAndKind = tuple[tuple[CardEntry, ...], bool]


def _fail(node: Any, message: str) -> NoReturn:
    raise PydanticCustomError("place", "{message}", {"message": message, "mark": mark_of(node)})


def _found(node: Any) -> str:
    if isinstance(node, Text):
        return f"`{node}`" if node else "nothing"
    return "a list" if isinstance(node, Sequence) else "a mapping (`key: value`)"


def _text(node: Any) -> Text:
    if isinstance(node, Text) and node:
        return node
    _fail(node, f"expected a text, found {_found(node)}")


def _texts(node: Any) -> tuple[Text, ...]:
    if isinstance(node, Sequence):
        return tuple(_text(item) for item in node)
    if isinstance(node, Text) and node:
        return (node,)
    _fail(node, f"expected a text or a list of texts, found {_found(node)}")


def _name(node: Any) -> Text:
    text = _text(node)
    if not re.fullmatch(r"\w{1,100}", text):
        _fail(
            node, f"expected a name of letters, digits and underscores such as `jacoby_2nt`, found `{text}`"
        )
    return text


def _names(node: Any) -> tuple[Text, ...]:
    return tuple(_name(text) for text in _texts(node))


def _number(node: Any) -> int:
    text = _text(node)
    if not re.fullmatch(r"[+-]?(0|[1-9]\d{0,3})", text):
        _fail(node, f"expected a whole number such as 10 or -5, found `{text}`")
    return int(text)


def _layer(node: Any) -> str:
    text = _text(node)
    if text not in _LAYERS:
        _fail(node, f"the layer `{text}` is unknown; {suggest(text, _LAYERS)}")
    return str(text)


def _forcing(node: Any) -> Text:
    text = _text(node)
    if text not in _FORCING and not re.fullmatch(r"to \S+", text):
        advice = suggest(text, [*_FORCING, "to 3M"])
        _fail(node, f"`forcing: {text}` is unknown; {advice}")
    return text


def _tells(node: Any) -> Text:
    text = _text(node)
    if text != "nothing":
        _fail(node, f"expected `tells: nothing`, found `{text}`")
    return text


def _shows(node: Any) -> tuple[AlternativeSpec, ...]:
    if isinstance(node, Sequence) and node:
        return tuple(_alternative(item) for item in node)
    if isinstance(node, Text) and node:
        return (AlternativeSpec(node),)
    _fail(node, f"expected what the call shows (`any` if nothing in particular), found {_found(node)}")


def _alternative(node: Any) -> AlternativeSpec:
    if not isinstance(node, Mapping):
        return AlternativeSpec(_text(node))
    for key in node:
        if key not in ("shows", "priority"):
            _fail(key, f"unknown key `{key}`; {suggest(key, ('shows', 'priority'))}")
    if "shows" not in node:
        _fail(node, "the key `shows` is missing")
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
                _fail(value, f"expected `on` or `off` for `{key}`, found {_found(value)}")
            entries.append(CardEntry(_name(key), switch))
        return tuple(entries), False
    if isinstance(node, Text) and not node:
        return (), True
    return tuple(CardEntry(name, True) for name in _names(node)), True


def _counts(node: Any) -> tuple[tuple[Text, Text], ...]:
    """Names of feature classes, each with the one to be asked instead."""
    if not isinstance(node, Mapping):
        _fail(node, f"expected features such as `hcp: hcp_by_tricks`, found {_found(node)}")
    for key, value in node.items():
        for name in (key, _text(value)):
            if name not in FEATURES:
                _fail(name, f"no feature `{name}`; {suggest(name, FEATURES)}")
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
_SHOWS_SCHEMA = {
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
Shows = Annotated[tuple[AlternativeSpec, ...], PlainValidator(_shows), WithJsonSchema(_SHOWS_SCHEMA)]
Never = Annotated[tuple[NeverSpec, ...], PlainValidator(_never), WithJsonSchema(_NEVER_SCHEMA)]
Examples = Annotated[tuple[Text, ...], PlainValidator(_examples), WithJsonSchema(_EXAMPLES_SCHEMA)]
Counts = Annotated[
    tuple[tuple[Text, Text], ...],
    PlainValidator(_counts),
    WithJsonSchema({"type": "object", "additionalProperties": {"enum": list(FEATURES)}}),
]
Card = Annotated[CardAndKind | None, PlainValidator(_card), WithJsonSchema(_CARD_SCHEMA)]


def _report(error: ValidationError, errors: list[SystemFileError]) -> None:
    """Adds what pydantic found, in our words and with the place."""
    for item in error.errors():
        kind, node = item["type"], item["input"]
        context = item.get("ctx", {})
        mark = context.get("mark", mark_of(node))
        if kind == "place":
            message = context["message"]
        elif kind == "missing":
            message = f"the key `{item['loc'][-1]}` is missing"
        elif kind == "list_type":
            message = f"expected a list (lines that start with `- `), found {_found(node)}"
        else:
            message = f"expected a mapping (`key: value`), found {_found(node)}"
        errors.append(mistake(mark, message))


def _errors(info: ValidationInfo) -> list[SystemFileError]:
    """Where this run of the validators puts mistakes."""
    errors: list[SystemFileError] = (info.context or {})["errors"]
    return errors


def _collect(node: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    """Notes the mistakes of one block or line and goes on without it, so that all are found in one run."""
    if len(_errors(info)) > MAX_MISTAKES:
        return None
    try:
        return handler(node)
    except ValidationError as error:
        _report(error, _errors(info))
        return None


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", arbitrary_types_allowed=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, node: Any, info: ValidationInfo) -> Any:
        if isinstance(node, Mapping):
            known = [field.alias or name for name, field in cls.model_fields.items()]
            for key in node:
                if key not in known and len(_errors(info)) <= MAX_MISTAKES:
                    message = f"unknown key `{key}`; {suggest(key, known)}"
                    _errors(info).append(mistake(key.mark, message))
        return node


class Body(_Model):
    """What a line says of its call."""

    shows: Shows = Field(description="What the call shows; a list gives alternatives.")
    when: ManyWords = Field((), description="Conditions on the auction for this line.")
    for_: ManyWords = Field((), alias="for", description="Restricts the suit variables of this line.")
    priority: Number = Field(0, description="Added to the block's: a higher one goes before the lines above.")
    forcing: Forcing = Field(None, description="round, game, to 3M, takeout, correct, no, invite or signoff.")
    agrees: SomeWords = Field(None, description="The suit agreed as trumps.")
    starts: SomeNames = Field(None, description="Conventions that this call puts in force.")
    ends: SomeNames = Field(None, description="Conventions that this call ends.")
    alert: SomeWords = Field(None, description="What to tell the opponents (`yes`: what it shows).")
    note: SomeWords = Field(None, description="A remark for the printed notes.")
    tells: Tells = Field(
        None, description="`nothing`: the line chooses the call, and partner learns nothing."
    )
    examples: Examples = Field((), description="Hands that make this call: `HAND`, or `AUCTION: HAND`.")


class Line(BaseModel):
    """`CALL: meaning`, `CALL: {shows: ..., ...}`, or `either:` with lines that are equal."""

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    call: Words
    body: Annotated[Body, WrapValidator(_collect)] | None = None
    either: list[Annotated[Line, WrapValidator(_collect)] | None] | None = None

    @model_validator(mode="before")
    @classmethod
    def _split(cls, node: Any) -> Any:
        if not isinstance(node, Mapping):
            _fail(node, f"expected a line `CALL: meaning`, found {_found(node)}")
        if len(node) != 1:
            keys = ", ".join(f"`{key}`" for key in node)
            _fail(
                node,
                f"expected one call a line, found {keys}: start every line with `- ` and indent its details",
            )
        ((call, value),) = node.items()
        if call == "either":
            return {"call": call, "either": value}
        if not isinstance(value, Mapping):
            inner = Mapping({Text("shows", mark_of(value)): value})
            inner.mark = mark_of(value)
            value = inner
        return {"call": call, "body": value}


class Block(_Model):
    """An auction and the calls that may follow it."""

    title: SomeWords = Field(None, description="A heading for the printed notes.")
    id: SomeWords = Field(None, description="A name, so that another file can replace the block.")
    auction: ManyWords = Field(description="The auction before the call: one pattern or a list of patterns.")
    when: ManyWords = Field((), description="Conditions that must hold as well.")
    for_: ManyWords = Field((), alias="for", description="Restricts the suit variables: `X in C,D; Y > X`.")
    convention: Name = Field(None, description="The block applies only when this convention is on the card.")
    priority: Number = Field(0, description="Higher goes first within the layer.")
    bid: list[Annotated[Line, WrapValidator(_collect)] | None] = Field(
        default_factory=list, description="The lines, best first."
    )
    never: Never = Field((), description="Calls that must not be made: `CALL` or `CALL: condition`.")
    forcing: Forcing = Field(None, description="For every line of the block that does not say.")
    agrees: SomeWords = Field(None, description="For every line of the block that does not say.")
    starts: SomeNames = Field(None, description="For every line of the block that does not say.")
    ends: SomeNames = Field(None, description="For every line of the block that does not say.")
    alert: SomeWords = Field(None, description="For every line of the block that does not say.")
    examples: Examples = Field((), description="`HAND -> CALL` or `AUCTION: HAND -> CALL`.")

    @model_validator(mode="before")
    @classmethod
    def _has_calls(cls, node: Any) -> Any:
        if isinstance(node, Mapping) and "bid" not in node and "never" not in node:
            _fail(node, "a block needs `bid:` or `never:`")
        return node

    def spec(self, mark: Mark) -> BlockSpec:
        """The block as a plain value."""
        lines: list[LineSpec] = []
        for rank, line in enumerate(self.bid):
            group = [line] if line is None or line.either is None else line.either
            lines += [self._line(item, item.body, rank) for item in group if item is not None and item.body]
        return BlockSpec(
            title=self.title,
            id=self.id,
            auction=self.auction,
            when=self.when,
            for_=self.for_,
            convention=None if self.convention is None else str(self.convention),
            layer="",
            priority=self.priority,
            lines=tuple(lines),
            never=self.never,
            examples=self.examples,
            mark=mark,
        )

    def _line(self, line: Line, body: Body, rank: int) -> LineSpec:
        def folded(key: str, none: Any) -> Any:
            own, default = getattr(body, key), getattr(self, key)
            return own if own is not None else default if default is not None else none

        return LineSpec(
            call=line.call,
            alternatives=body.shows,
            when=body.when,
            for_=body.for_,
            priority=body.priority,
            forcing=folded("forcing", None),
            agrees=folded("agrees", None),
            starts=folded("starts", ()),
            ends=folded("ends", ()),
            alert=folded("alert", None),
            note=body.note,
            tells=body.tells,
            examples=body.examples,
            rank=rank,
            mark=line.call.mark,
        )


class File(_Model):
    """A file of a bidding system."""

    system: SomeWords = Field(None, description="The name of the system that this file describes.")
    convention: Name = Field(None, description="The name of the one convention that this file holds.")
    about: SomeWords = Field(None, description="A few lines on what the file covers.")
    extends: SomeWords = Field(
        None, description="A system to start from; this file's blocks come before its blocks."
    )
    include: ManyWords = Field((), description="Files without `.yaml`, relative to this one or shipped.")
    card: Card = Field(None, description="The conventions that the pair plays.")
    layer: Layer = Field(None, description="convention, system, standard or natural.")
    replaces: Names = Field((), description="Conventions that cannot be on the card together with this one.")
    needs: Names = Field((), description="Conventions that this one switches on as well.")
    drop: Names = Field((), description="Ids of blocks of the extended system to leave out.")
    counts: Counts = Field(
        (), description="Features by which calls are chosen where rules name others: `hcp: hcp_by_tricks`."
    )
    rules: list[Annotated[Block, WrapValidator(_collect)] | None] = Field(
        default_factory=list, description="The blocks."
    )

    def spec(self, path: str, marks: list[Mark]) -> FileSpec:
        """The file as a plain value; `marks` are the places of its blocks."""
        entries, whole = self.card or (None, False)
        return FileSpec(
            path=path,
            kind="system" if self.system else "convention" if self.convention else "part",
            name=self.system or self.convention,
            about=self.about,
            extends=self.extends,
            include=self.include,
            card=entries,
            whole_card=whole,
            layer=self.layer,
            replaces=self.replaces,
            needs=self.needs,
            drop=self.drop,
            counts=self.counts,
            blocks=tuple(block.spec(mark) for block, mark in zip(self.rules, marks) if block is not None),
        )


_KEYS = "|".join(field.alias or name for name, field in File.model_fields.items())
_LIKE_A_SYSTEM = re.compile(rf"^[ \t{{]*[\"']?(?:{_KEYS})[\"']?[ \t]*:", re.MULTILINE)


def _misplaced(file: File, node: Mapping) -> list[SystemFileError]:
    """Keys that stand in the wrong kind of file."""
    marks = {str(key): key.mark for key in node}
    found = []
    if file.system and file.convention:
        found.append(mistake(marks["convention"], "a file holds a system or a convention: split it in two"))
    wrong = ("replaces", "needs", "counts") if file.system else ("extends", "card", "drop")
    kind = "convention" if file.system else "system"
    for key in wrong:
        if key in marks:
            found.append(mistake(marks[key], f"`{key}:` belongs in a file that starts with `{kind}:`"))
    return found


def read(data: bytes | str, path: str, errors: list[SystemFileError]) -> FileSpec | None:
    """A file's text as plain values; mistakes are added to `errors`, and what is right is returned."""
    text = decoded(data, path, errors)
    if text is None:
        return None
    if re.search(r"^\s*[^\s#]", text, re.MULTILINE) and not _LIKE_A_SYSTEM.search(text):
        # Not a word of it: whatever this is, its text is no business of a message about bidding systems.
        message = "no system file; expected `system:`, `convention:` or `rules:` at the beginning of a line"
        errors.append(mistake(Mark(path, 1, 1), message))
        return None
    tree = parse(text, path, errors)
    if tree is None:
        if not errors:
            errors.append(mistake(Mark(path, 1, 1), "the file is empty; expected `system:` and `rules:`"))
        return None
    if not isinstance(tree, Mapping):
        errors.append(mistake(mark_of(tree), f"expected `system:` and `rules:`, found {_found(tree)}"))
        return None
    try:
        file = File.model_validate(tree, context={"errors": []})
    except ValidationError as error:
        _report(error, errors)
        broken = {item["loc"][0] for item in error.errors()}
        sound = Mapping({key: value for key, value in tree.items() if key not in broken})
        sound.mark = tree.mark
        file = File.model_validate(sound, context={"errors": errors})
    else:
        file = File.model_validate(tree, context={"errors": errors})
    errors += _misplaced(file, tree)
    errors.sort(key=lambda error: (error.line or 0, error.column or 0))
    rules = next((value for key, value in tree.items() if key == "rules"), ())
    return file.spec(path, [mark_of(block) for block in rules])


def json_schema() -> dict[str, Any]:
    """The JSON schema of system files, for completion and checks in editors."""
    schema = File.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    # The models of lines hold call and meaning apart; in the file the call is the key.
    definitions["Line"] = {
        "type": "object",
        "description": Line.__doc__,
        "minProperties": 1,
        "maxProperties": 1,
        "properties": {
            "either": {
                "description": "Lines that are equal: a hand that fits several is settled by simulation.",
                "type": "array",
                "items": {"$ref": "#/$defs/Line"},
            }
        },
        "additionalProperties": {"anyOf": [*_SHOWS_SCHEMA["anyOf"], {"$ref": "#/$defs/Body"}]},
    }
    definitions["Block"]["properties"]["bid"]["items"] = {"$ref": "#/$defs/Line"}
    definitions["Block"]["anyOf"] = [{"required": ["bid"]}, {"required": ["never"]}]
    schema["properties"]["rules"]["items"] = {"$ref": "#/$defs/Block"}
    _explain_words(definitions)
    for model in (schema, definitions["Block"], definitions["Body"]):
        model["additionalProperties"] = False
        for field in model["properties"].values():
            for key in ("default", "title"):
                field.pop(key, None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Bidding system of pidm",
    }


def _explain_words(definitions: dict[str, Any]) -> None:
    """Let editors offer conditions, terms, features and forces, and say what they mean."""
    meanings = {**editor_words.TERMS, **editor_words.feature_words()}
    offered = {"shows": meanings, "when": editor_words.CONDITIONS, "forcing": editor_words.FORCES}
    for name in ("Body", "Block"):
        for key, words in offered.items():
            field = definitions[name]["properties"].get(key)
            if field is not None:
                field["anyOf"] = [*field["anyOf"], editor_words.suggested(words)]
                field["markdownDescription"] = f"{field['description']}\n\n{editor_words.described(words)}"
    line = definitions["Line"]["additionalProperties"]
    line["anyOf"] = [*line["anyOf"], editor_words.suggested(meanings)]
