"""The form of system files: what is accepted, and what is said of mistakes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from pidm.features.declare import classes
from pidm.language import condition, editor_words, meaning
from pidm.language.declarations import FileSpec
from pidm.language.editor_schema import json_schema
from pidm.language.force import ForcingKind, parse_forcing
from pidm.language.meaning import parse_meaning
from pidm.language.schema import read


def spec_of(text: str) -> FileSpec:
    errors: list = []
    spec = read(text, "my.yaml", errors)
    assert not errors, "\n".join(map(str, errors))
    assert spec is not None
    return spec


def mistakes(text: str) -> list[str]:
    errors: list = []
    read(text, "my.yaml", errors)
    return [str(error).removeprefix("my.yaml:") for error in errors]


JACOBY = """\
system: Little club system
about: >
  Five-card majors
  and not much else.
card: {stayman: on, texas: off}
rules:
  - title: Raises
    id: raises
    auction: [1M, P (P) 1M (P)]
    when: uncontested
    for: M = S
    priority: -5
    forcing: invite
    alert: yes
    bid:
      - 2N:
          shows: 4+ M, 13+ points(M)
          forcing: game
          agrees: M
          starts: jacoby_2nt
          when: [not passed hand, seat 1-2]
          examples: ["1S: K842.A5.KQJ3.Q42"]
      - either:
          - 3M: [4+ M, {shows: 3 M, priority: 10}]
          - 2M: 3+ M
      - P: any
    never:
      - 4N
      - X: not vul
    examples:
      - 1S (2H), vul: K842.A5.KQJ3.Q42 -> 2N
"""


def test_a_block_with_everything() -> None:
    spec = spec_of(JACOBY)
    assert (spec.kind, spec.name) == ("system", "Little club system")
    assert spec.about == "Five-card majors and not much else.\n"
    assert spec.card is not None and not spec.whole_card
    assert [(entry.name, entry.on) for entry in spec.card] == [("stayman", True), ("texas", False)]
    (block,) = spec.blocks
    assert (block.title, block.id, block.priority) == ("Raises", "raises", -5)
    assert (block.auction, block.when, block.for_) == (("1M", "P (P) 1M (P)"), ("uncontested",), ("M = S",))
    assert [line.call for line in block.lines] == ["2N", "3M", "2M", "P"]
    assert [line.rank for line in block.lines] == [0, 1, 1, 2]
    assert [(never.call, never.when) for never in block.never] == [("4N", ()), ("X", ("not vul",))]
    assert block.examples == ("1S (2H), vul: K842.A5.KQJ3.Q42 -> 2N",)
    assert str(block.mark) == "my.yaml:7:5"


def test_lines_take_what_the_block_says_for_all() -> None:
    lines = {str(line.call): line for line in spec_of(JACOBY).blocks[0].lines}
    assert {call: line.forcing for call, line in lines.items()} == {
        "2N": "game",
        "3M": "invite",
        "2M": "invite",
        "P": "invite",
    }
    assert {line.alert for line in lines.values()} == {"yes"}
    assert (lines["2N"].agrees, lines["2N"].starts, lines["P"].starts) == ("M", ("jacoby_2nt",), ())
    assert lines["2N"].when == ("not passed hand", "seat 1-2")
    assert [(one.shows, one.priority) for one in lines["3M"].alternatives] == [("4+ M", 0), ("3 M", 10)]
    assert str(lines["2M"].mark) == "my.yaml:25:13"


def test_texts_keep_their_places() -> None:
    line = spec_of(JACOBY).blocks[0].lines[0]
    assert str(line.alternatives[0].shows.at(6)) == "my.yaml:17:24"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("- 1N:", "5:12: expected what the call shows (`any` if nothing in particular), found nothing"),
        ("- 1N", "5:9: expected a line `CALL: meaning`, found `1N`"),
        ("- 1N: {forcing: game}", "5:13: the key `shows` is missing"),
        ("- 1N: {shows: any, forcng: game}", "5:26: unknown key `forcng`; did you mean `for` or `forcing`?"),
        ("- 1N: {shows: any, forcing: rond}", "5:35: `forcing: rond` is unknown; did you mean `round`?"),
        (
            "- 1N: {shows: any, priority: 0445}",
            "5:36: expected a whole number such as 10 or -5, found `0445`",
        ),
        (
            "- 1N: {shows: any, priority: 4:30}",
            "5:36: expected a whole number such as 10 or -5, found `4:30`",
        ),
        ("- 1N: {shows: any, starts: jacoby 2nt}", "5:34: expected a name of letters"),
        ("- 1N: {shows: {a: b}}", "5:21: expected what the call shows"),
        ("- 1N: [any, {show: b}]", "5:20: unknown key `show`; did you mean `shows`?"),
        ("- 1N: [any, {priority: 3}]", "5:19: the key `shows` is missing"),
        ("- {1N: any, 2N: any}", "5:9: expected one call a line, found `1N`, `2N`"),
        ("- either: 1N", "5:17: expected a list (lines that start with `- `), found `1N`"),
        ("- either: [1N]", "5:18: expected a line `CALL: meaning`, found `1N`"),
        ("- 1N: {shows: any, when: {a: b}}", "5:32: expected a text or a list of texts, found a mapping"),
        ("- 1N: {shows: any, note: [a]}", "5:32: expected a text, found a list"),
        ("- 1N: {shows: any, examples: [[a]]}", "5:37: expected a text, found a list"),
    ],
)
def test_mistakes_in_a_line(line: str, expected: str) -> None:
    (found,) = mistakes(f"system: Mine\nrules:\n  - auction: P*\n    bid:\n      {line}\n")
    assert found.startswith(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "1:1: the file is empty"),
        ("# nothing\n", "1:1: the file is empty"),
        ("- a\n", "1:1: no system file; expected `system:`, `convention:` or `rules:` at the beginning"),
        ("- rules: []\n  system: Mine\n", "1:1: expected `system:` and `rules:`, found a list"),
        ("sytem: Mine\nrules: []\n", "1:1: unknown key `sytem`; did you mean `system`?"),
        ("system: [Mine]\n", "1:9: expected a text, found a list"),
        ("system: Mine\nrules: none\n", "2:8: expected a list (lines that start with `- `), found `none`"),
        ("system: Mine\nrules: [none]\n", "2:9: expected a mapping (`key: value`), found `none`"),
        ("system: Mine\nrules: [{auction: P}]\n", "2:9: a block needs `bid:` or `never:`"),
        ("system: Mine\nrules: [{never: P}]\n", "2:9: the key `auction` is missing"),
        ("system: Mine\nlayer: naturel\n", "2:8: the layer `naturel` is unknown; did you mean `natural`?"),
        (
            "system: Mine\ncard: {stayman: maybe}\n",
            "2:17: expected `on` or `off` for `stayman`, found `maybe`",
        ),
        ("system: Mine\nneeds: stayman\n", "2:1: `needs:` belongs in a file that starts with `convention:`"),
        ("convention: mine\nextends: x\n", "2:1: `extends:` belongs in a file that starts with `system:`"),
        ("system: Mine\nconvention: mine\n", "2:1: a file holds a system or a convention"),
    ],
)
def test_mistakes_in_a_file(text: str, expected: str) -> None:
    (found,) = mistakes(text)
    assert found.startswith(expected)


def test_all_mistakes_of_a_file_are_found_in_one_run_and_the_rest_is_read() -> None:
    text = """\
system: Mine
crad: [stayman]
card: {stayman: maybe}
rules:
  - auction: P*
    titel: Openings
    bid:
      - 1N: 15-17 hcp
      - 1M: {shows: 5+ M, forcng: game, priority: ten}
      - P
  - auction: 1N
  - auction: "2C"
    bid:
      - 2D: 0-7 hcp
"""
    errors: list = []
    spec = read(text, "my.yaml", errors)
    assert [error.line for error in errors] == [2, 3, 6, 9, 9, 10, 11]
    assert spec is not None
    assert [[str(line.call) for line in block.lines] for block in spec.blocks] == [["1N"], ["2D"]]
    assert [block.mark.line for block in spec.blocks] == [5, 12]


def test_the_card_as_a_list_and_none() -> None:
    spec = spec_of("system: Mine\ncard: [stayman, texas]\n")
    assert spec.whole_card and spec.card is not None
    assert [entry.on for entry in spec.card] == [True, True]
    assert spec_of("system: Mine\n").card is None


def test_the_json_schema_describes_every_key() -> None:
    schema = json_schema()
    json.dumps(schema)
    models = [schema, schema["$defs"]["Block"], schema["$defs"]["Body"]]
    for model in models:
        assert model["additionalProperties"] is False
        assert all(field["description"] for field in model["properties"].values())
    assert {"auction", "when", "for", "bid", "never"} <= models[1]["properties"].keys()
    assert models[1]["properties"]["bid"]["items"] == {"$ref": "#/$defs/Line"}
    references = {part.split('"')[0] for part in json.dumps(schema).split("#/$defs/")[1:]}
    assert references <= schema["$defs"].keys()


def accepts(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    """The part of JSON schema that ours uses."""
    types = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    if "$ref" in schema:
        return accepts(root["$defs"][schema["$ref"].split("/")[-1]], value, root)
    wanted = schema.get("type", [])
    if wanted and not any(
        isinstance(value, types[one]) for one in (wanted if isinstance(wanted, list) else [wanted])
    ):
        return False
    if "anyOf" in schema and not any(accepts(one, value, root) for one in schema["anyOf"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return False
    if isinstance(value, list) and "items" in schema:
        return all(accepts(schema["items"], item, root) for item in value)
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        return (
            set(schema.get("required", ())) <= value.keys()
            and schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", 99)
            and all(accepts(known[key], item, root) for key, item in value.items() if key in known)
            and all(
                rest is True or (rest and accepts(rest, item, root))
                for key, item in value.items()
                if key not in known
            )
        )
    return True


def test_the_json_schema_accepts_what_is_read_and_refuses_what_is_not() -> None:
    import yaml

    schema = json_schema()
    assert accepts(schema, yaml.safe_load(JACOBY), schema)
    for bad in (
        "sytem: x",
        "rules: [{auction: P}]",
        "rules: [{auction: P, bid: [{1N: any, 2N: any}]}]",
        "rules: [{auction: P, bid: [{1N: {shows: any, forcng: x}}]}]",
        "rules: [{auction: P, bid: [{1N: {shows: any, forcing: rond}}]}]",
        "rules: [{auction: P, bid: [{either: [{1N: {}}]}]}]",
        "card: {stayman: maybe}",
    ):
        assert not accepts(schema, yaml.safe_load(bad), schema), bad


def test_importing_the_language_does_not_import_pydantic() -> None:
    code = "import sys, pidm.language.loading; sys.exit('pydantic' in sys.modules or 'yaml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_editors_are_told_of_every_condition_term_feature_and_force() -> None:
    for text in editor_words.CONDITIONS:
        condition.parse_condition(text)
    assert set(condition._PLAIN) <= set(editor_words.CONDITIONS)
    for pattern, _ in condition._FORMS:
        assert any(pattern.fullmatch(text) for text in editor_words.CONDITIONS), pattern.pattern
    words = {**editor_words.TERMS, **editor_words.feature_words()}
    for text in set(words) - {"no agreement"}:
        parse_meaning(text)
    flags = {*meaning._PLAIN_FLAGS, *(f"{flag} X" for flag in meaning._SUIT_FLAGS)}
    assert flags <= set(words)
    assert {one.name for one in classes()} <= {word.split()[-1].partition("(")[0] for word in words}
    for text in editor_words.FORCES:
        parse_forcing(text)
    assert {kind.value for kind in ForcingKind} == {text.split()[0] for text in editor_words.FORCES}
    schema = json_schema()
    body = schema["$defs"]["Body"]["properties"]
    assert "a pass would end the auction" in body["when"]["markdownDescription"]
    offered = body["when"]["anyOf"][-1]
    assert offered["enumDescriptions"][offered["enum"].index("balancing")] == "a pass would end the auction"
    assert "1+ losers(X)" in body["shows"]["anyOf"][-1]["enum"]
    assert schema["$defs"]["Line"]["additionalProperties"]["anyOf"][-1] == body["shows"]["anyOf"][-1]
