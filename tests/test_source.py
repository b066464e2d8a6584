"""YAML texts become trees of placed texts; traps are mistakes or plain text, never another meaning."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pidm.language import source
from pidm.language.source import Mapping, Text, parse, suggest


def read(text: str | bytes) -> tuple[object, list[str]]:
    errors: list = []
    tree = parse(text, "my.yaml", errors)
    return tree, [str(error) for error in errors]


@pytest.mark.parametrize(
    "written",
    [
        "0445",
        "4:30",
        "no",
        "on",
        "yes",
        "NO",
        "~",
        "null",
        "1e3",
        "0x1F",
        "2001-01-01",
        "P*",
        "(1D)",
        "1N 2C",
        "...",
        "X in C,D; Y > X",
        "1C|1D",
        "(*)",
        "1S (2H) !P",
        "2C..3D",
        "<<",
        "15-17 hcp",
        ".inf",
        "=",
        "1_000",
    ],
)
def test_scalars_stay_what_is_written(written: str) -> None:
    tree, errors = read(f"key: {written}\n")
    assert (tree, errors) == ({"key": written}, [])


@pytest.mark.parametrize("written", ["1N 2C", "X in C,D; Y > X", "1S (2H) !P", "15-17 hcp, balanced"])
def test_texts_of_the_language_need_no_quotes(written: str) -> None:
    assert read(f"key: {written}\n") == ({"key": written}, [])


@pytest.mark.parametrize("key", ["P*", "(1D)", "1N", "no", "0445", "...x", "1C|1D", "4+ M"])
def test_keys_stay_what_is_written(key: str) -> None:
    assert read(f"- {key}: any\n") == ([{key: "any"}], [])


def test_texts_know_their_places() -> None:
    tree, _ = read("# a comment\nrules:\n  - 1N: 15-17 hcp\n    'x': \"quoted\"\n")
    assert isinstance(tree, Mapping)
    (line,) = tree[Text("rules")]
    assert str(line.mark) == "my.yaml:3:5"
    assert [str(key.mark) for key in line] == ["my.yaml:3:5", "my.yaml:4:6"]
    assert [str(value.mark) for value in line.values()] == ["my.yaml:3:9", "my.yaml:4:11"]
    assert str(line[Text("1N")].at(6)) == "my.yaml:3:15"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: *M\n", "1:4", '`*M` is a YAML alias when it stands bare: put it in quotes, "*M"'),
        ("- *: any\n", "1:3", "must be put in quotes"),
        ("a: * (1D)\n", "1:4", "must be put in quotes"),
        ("a:\n  - !P\n", "2:5", "put it in quotes (!P)"),
        ("a: !!int 3\n", "1:4", "starts with `!`"),
        ("a: !!python/object/apply:os.system [ls]\n", "1:4", "starts with `!`"),
        ("a: &x b\n", "1:4", "anchor"),
        ("a: 1\nb: 2\na: 3\n", "3:1", "`a` stands here twice (first in line 1)"),
        ("a: {b: 1, b: 2}\n", "1:11", "`b` stands here twice"),
        ("<<: {a: b}\n", "1:1", "merge keys"),
        ("a: b\n---\nc: d\n", "2:1", "second YAML document"),
        ("a: 1S: 5+ S\n", "1:6", "put a text with `: ` in quotes"),
        ("a:\n\t- b\n", "2:1", "a tab: indent with spaces"),
        ("a: @b\n", "1:4", "cannot start with `@`"),
        ("? [a, b]\n: c\n", "1:3", "a key must be a text"),
        ("a: [b\nc: d\n", "2:2", "flow sequence that starts in line 1): is the indent right, are brackets"),
        ("a: 'b\n", "2:1", "quotes"),
        ("a: " + "[" * 30 + "]" * 30, "1:27", "nested deeper than 24"),
        ("[" * 1_000_000, "1:25", "nested deeper"),
        (b"a: caf\xe9\n", "1:7", "0xe9 is not UTF-8"),
        (b"a: b\n\xff\xfe", "2:1", "0xff is not UTF-8"),
        ("a: b\nc: \x07\n", "2:4", "control character U+0007"),
        ("# " + "x" * 2_000_000, "1:1", "at most 2,000,000"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_traps_are_mistakes_with_a_place(text: str | bytes, place: str, words: str) -> None:
    _, errors = read(text)
    assert errors[0].startswith(f"my.yaml:{place}: ")
    assert words in errors[0]


def test_an_alias_bomb_does_not_explode() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{new}: &{new} [*{old}, *{old}, *{old}, *{old}, *{old}]\n"
        for old, new in zip("abcdefgh", "bcdefghi")
    )
    _, errors = read(bomb)
    assert len(errors) == 9 + 8 * 5


def test_all_aliases_and_duplicates_are_found_in_one_run() -> None:
    _, errors = read("a: *M\nb: *H\na: 1\n")
    assert [error.split(":")[1] for error in errors] == ["1", "2", "3"]


def test_a_byte_order_mark_and_windows_line_ends_are_harmless() -> None:
    assert read(b"\xef\xbb\xbfa: b\r\nc: d\r\n") == ({"a": "b", "c": "d"}, [])


def test_the_python_loader_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    text = "rules:\n  - 1N: {shows: 15-17 hcp, when: 'seat 1'}\n  - P: 0445\n  - *M\n"
    with_libyaml = read(text)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert read(text) == with_libyaml


@given(st.text(max_size=60))
def test_no_text_crashes_the_reader(text: str) -> None:
    tree, errors = read(text)
    assert tree is not None or errors or not text.strip() or text.strip()[0] in "#-%\ufeff.\x85"


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=8), max_size=4))
def test_quoted_texts_round_trip(values: dict[str, str]) -> None:
    import json

    errors: list = []
    tree = parse(json.dumps(values), "my.yaml", errors)
    # Escapes of lone surrogates and of characters outside YAML are the only ones that may be refused.
    if not errors and "<<" not in values:
        assert tree == values


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("forcng", ["forcing", "shows"], "did you mean `forcing`?"),
        ("HCP", ["hcp", "losers"], "did you mean `hcp`?"),
        ("zzz", ["a", "b"], "expected one of `a`, `b`"),
        ("zzz", [], "there are none"),
    ],
)
def test_suggestions(name: str, known: list[str], expected: str) -> None:
    assert suggest(name, known) == expected


def test_limits_are_what_the_messages_say() -> None:
    assert (source.MAX_BYTES, source.MAX_DEPTH) == (2_000_000, 24)
