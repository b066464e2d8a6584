"""The form of a system file: pydantic models, and mistakes in a player's words.

Importing this module imports pydantic: a system that comes from the store does without it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)

from pidm.errors import SystemFileError
from pidm.language.declarations import BlockSpec, FileSpec, LineSpec
from pidm.language.file_values import (
    Card,
    Counts,
    Examples,
    Forcing,
    Layer,
    ManyWords,
    Name,
    Names,
    Never,
    Number,
    Shows,
    SomeNames,
    SomeWords,
    Tells,
    Words,
    fail,
    found_instead,
)
from pidm.language.source import MAX_MISTAKES, Mapping, Mark, Text, decoded, mark_of, mistake, parse, suggest


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
            message = f"expected a list (lines that start with `- `), found {found_instead(node)}"
        else:
            message = f"expected a mapping (`key: value`), found {found_instead(node)}"
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


@cache
def _keys_of(model: type[BaseModel]) -> list[str]:
    """The keys that a file may write there; pydantic takes its time to tell its fields."""
    return [field.alias or name for name, field in model.model_fields.items()]


class _Model(BaseModel):
    model_config = ConfigDict(extra="ignore", arbitrary_types_allowed=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, node: Any, info: ValidationInfo) -> Any:
        if isinstance(node, Mapping):
            known = _keys_of(cls)
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
            fail(node, f"expected a line `CALL: meaning`, found {found_instead(node)}")
        if len(node) != 1:
            keys = ", ".join(f"`{key}`" for key in node)
            fail(
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
            fail(node, "a block needs `bid:` or `never:`")
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


_KEYS = "|".join(_keys_of(File))
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
        errors.append(mistake(mark_of(tree), f"expected `system:` and `rules:`, found {found_instead(tree)}"))
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
