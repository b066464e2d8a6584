"""From the name of a system to its blocks: includes, extended systems and cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from pidm.errors import SystemFileError, SystemFileErrors
from pidm.language import finding
from pidm.language.loading import SystemSpec, load_system


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped systems of the test's own, and no cache."""
    folder = tmp_path / "shipped"
    (folder / "conventions").mkdir(parents=True)
    monkeypatch.setattr(finding, "shipped", lambda: folder)
    monkeypatch.setenv("PIDM_CACHE", "off")
    return folder


def write(folder: Path, **texts: str) -> Path:
    """Writes files; `a__b` is b.yaml in the folder a. Returns the path of the first."""
    paths = []
    for name, text in texts.items():
        path = folder / (name.replace("__", "/") + ".yaml")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        paths.append(path)
    return paths[0]


def block(title: str, **keys: str) -> str:
    more = "".join(f", {key}: {value}" for key, value in keys.items())
    return f"  - {{title: {title}, auction: P*{more}, bid: [P: any]}}\n"


def titles(spec: SystemSpec) -> list[str]:
    return [str(one.title) for one in spec.blocks]


def mistakes(path: Path, card: dict[str, bool] | None = None) -> list[str]:
    with pytest.raises(SystemFileErrors) as caught:
        load_system(path, card)
    return [f"{Path(error.path or '').name}:{error.line}: {error.message}" for error in caught.value.errors]


def test_includes_come_after_the_file_itself_and_count_once(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        mine="system: Mine\ninclude: [openings, sub/raises]\nrules:\n" + block("own"),
        openings="include: common\nrules:\n" + block("openings"),
        sub__raises="include: ../common\nrules:\n" + block("raises"),
        common="rules:\n" + block("common"),
    )
    spec = load_system(path)
    assert titles(spec) == ["own", "openings", "common", "raises"]
    assert [file.name for file in spec.files] == ["mine.yaml", "openings.yaml", "common.yaml", "raises.yaml"]
    assert {one.layer for one in spec.blocks} == {"system"}


def test_layers_go_down_to_parts(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        mine="system: Mine\ninclude: [natural]\ncard: [asking]\nrules:\n" + block("ask", convention="asking"),
        natural="layer: natural\ninclude: more\nrules:\n" + block("natural"),
        more="rules:\n" + block("more"),
    )
    assert [(str(one.title), one.layer, one.convention) for one in load_system(path).blocks] == [
        ("ask", "convention", "asking"),
        ("natural", "natural", None),
        ("more", "natural", None),
    ]


def test_shipped_systems_by_name(shipped: Path) -> None:
    write(shipped, little="system: Little\nrules:\n" + block("little"))
    write(
        shipped, big__system="system: Big\ninclude: openings\n", big__openings="rules:\n" + block("openings")
    )
    assert titles(load_system("little")) == ["little"]
    assert titles(load_system("big")) == ["openings"]
    assert list(finding.shipped_systems()) == ["big", "little"]
    with pytest.raises(SystemFileError, match=r"no system `litle`.*did you mean `little`\?"):
        load_system("litle")


def test_a_system_extends_another(tmp_path: Path, shipped: Path) -> None:
    write(
        shipped, base="system: Base\nrules:\n" + block("a", id="a") + block("b", id="b") + block("c", id="c")
    )
    path = write(
        tmp_path,
        mine="system: Mine\nextends: base\ndrop: [c]\nrules:\n" + block("new") + block("B", id="b"),
    )
    spec = load_system(path)
    assert (spec.name, titles(spec)) == ("Mine", ["new", "B", "a"])


def test_own_blocks_replace_included_ones_by_id(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        mine="system: Mine\ninclude: part\ndrop: gone\nrules:\n" + block("A", id="a"),
        part="rules:\n" + block("a", id="a") + block("gone", id="gone") + block("b", id="b"),
    )
    assert titles(load_system(path)) == ["A", "b"]


CONVENTIONS = {
    "conventions__stayman": "convention: stayman\nabout: Asks for majors.\nrules:\n" + block("stayman"),
    "conventions__puppet": "convention: puppet\nreplaces: stayman\nrules:\n" + block("puppet"),
    "conventions__smolen": "convention: smolen\nneeds: stayman\nrules:\n" + block("smolen"),
}


def test_conventions_on_the_card_are_found_by_name(tmp_path: Path, shipped: Path) -> None:
    write(shipped, **CONVENTIONS)
    path = write(tmp_path, mine="system: Mine\ncard: [smolen]\nrules:\n" + block("own"))
    spec = load_system(path)
    assert titles(spec) == ["own", "smolen", "stayman"]
    assert [one.layer for one in spec.blocks] == ["system", "convention", "convention"]
    assert spec.conventions == {"smolen", "stayman"}
    assert {name: one.on for name, one in spec.all_conventions.items()} == {
        "smolen": True,
        "stayman": True,
        "puppet": False,
    }
    assert spec.all_conventions["stayman"].about == "Asks for majors."


@pytest.mark.parametrize(
    ("card", "change", "expected"),
    [
        ("[stayman]", {}, {"stayman"}),
        ("[stayman]", {"stayman": False}, set()),
        ("[stayman]", {"puppet": True}, {"puppet"}),
        ("[puppet]", {"stayman": True}, {"stayman"}),
        ("[puppet]", {"smolen": True}, {"stayman", "smolen"}),
        ("{smolen: on, puppet: off}", {}, {"stayman", "smolen"}),
        ("{smolen: yes}", {"smolen": False}, {"stayman"}),
        ("[]", {}, set()),
    ],
)
def test_what_switches_what(
    tmp_path: Path, shipped: Path, card: str, change: dict[str, bool], expected: set[str]
) -> None:
    write(shipped, **CONVENTIONS)
    path = write(tmp_path, mine=f"system: Mine\ncard: {card}\n")
    assert load_system(path, change).conventions == expected


def test_the_card_of_an_extended_system_is_changed_or_written_anew(tmp_path: Path, shipped: Path) -> None:
    write(shipped, **CONVENTIONS, base="system: Base\ncard: [smolen, stayman]\n")
    changed = write(tmp_path, mine="system: Mine\nextends: base\ncard: {smolen: off}\n")
    anew = write(tmp_path, other="system: Mine\nextends: base\ncard: [puppet]\n")
    kept = write(tmp_path, third="system: Mine\nextends: base\n")
    assert load_system(changed).conventions == {"stayman"}
    assert load_system(anew).conventions == {"puppet"}
    assert load_system(kept).conventions == {"smolen", "stayman"}


def test_an_included_convention_applies_only_when_on_the_card(tmp_path: Path, shipped: Path) -> None:
    write(shipped, **CONVENTIONS)
    text = "system: Mine\ninclude: [stayman]\ncard: {}\nrules:\n" + block("own", convention="stayman")
    path = write(tmp_path, mine=text)
    assert titles(load_system(path)) == []
    assert titles(load_system(path, {"stayman": True})) == ["own", "stayman"]


def test_a_block_beside_the_shipped_convention(tmp_path: Path, shipped: Path) -> None:
    write(shipped, **CONVENTIONS)
    path = write(
        tmp_path, mine="system: Mine\ncard: [stayman]\nrules:\n" + block("mine too", convention="stayman")
    )
    assert titles(load_system(path)) == ["mine too", "stayman"]


def test_own_conventions_stand_beside_the_system(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        mine="system: Mine\ncard: [ours]\n",
        conventions__ours="convention: ours\nrules:\n" + block("ours"),
    )
    assert titles(load_system(path)) == ["ours"]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            {"mine": "system: Mine\ninclude: part\n", "part": "include: part2\n", "part2": "include: part\n"},
            "part2.yaml:1: files that include each other in a circle: mine.yaml -> part.yaml -> part2.yaml"
            " -> part.yaml",
        ),
        (
            {"mine": "system: Mine\nextends: other\n", "other": "system: Other\nextends: mine\n"},
            "other.yaml:2: systems that extend each other in a circle: mine.yaml -> other.yaml -> mine.yaml",
        ),
        (
            {"mine": "system: Mine\ninclude: prt\n", "part": "rules: []\n"},
            "mine.yaml:2: no file `prt` beside this one or among the shipped; did you mean `part`?",
        ),
        (
            {"mine": "system: Mine\ninclude: other\n", "other": "system: Other\n"},
            "mine.yaml:2: `other` is a system: write `extends: other` to start from it",
        ),
        (
            {"mine": "system: Mine\nextends: other\n", "other": "rules: []\n"},
            "mine.yaml:2: `other` is a part; only a system can be extended",
        ),
        (
            {"mine": "system: Mine\ndrop: [opening]\nrules:\n" + block("a", id="openings")},
            "mine.yaml:2: no block has the id `opening`; did you mean `openings`?",
        ),
        (
            {"mine": "system: Mine\nrules:\n" + block("a", id="x") + block("b", id="x")},
            "mine.yaml:4: the id `x` stands twice (first in line 3)",
        ),
        (
            {"mine": "system: Mine\ncard: [staymen]\n", "conventions/stayman": "convention: stayman\n"},
            "mine.yaml:2: no convention `staymen`; did you mean `stayman`?",
        ),
        (
            {
                "mine": "system: Mine\ncard: [stayman, puppet]\n",
                "conventions__stayman": "convention: stayman\n",
                "conventions__puppet": "convention: puppet\nreplaces: [stayman]\n",
            },
            "mine.yaml:2: `puppet` and `stayman` cannot be on the card together",
        ),
        (
            {
                "mine": "system: Mine\ncard: {stayman: off, smolen: on}\n",
                "conventions__stayman": "convention: stayman\n",
                "conventions__smolen": "convention: smolen\nneeds: stayman\n",
            },
            "mine.yaml:2: `smolen` is on the card and needs `stayman`, which is off",
        ),
        (
            {"mine": "system: Mine\ncard: [stayman]\n", "conventions__stayman": "convention: puppet\n"},
            "stayman.yaml:1: the file stayman.yaml must hold the convention `stayman`, not `puppet`",
        ),
        (
            {"mine": "rules: []\n"},
            "mine.yaml:1: the file holds a part; expected one that starts with `system:`",
        ),
    ],
)
def test_mistakes_between_files(tmp_path: Path, texts: dict[str, str], expected: str) -> None:
    path = write(tmp_path, **texts)
    assert mistakes(path) == [expected]


def test_mistakes_of_all_files_come_together_and_what_is_right_can_be_had(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        mine="system: Mine\ninclude: part\nruls: []\nrules:\n" + block("own"),
        part="rules:\n" + block("part", priority="ten") + block("other"),
    )
    assert mistakes(path) == [
        "mine.yaml:3: unknown key `ruls`; did you mean `rules`?",
        "part.yaml:2: expected a whole number such as 10 or -5, found `ten`",
    ]
    errors: list[SystemFileError] = []
    assert titles(load_system(path, errors=errors)) == ["own", "other"]
    assert len(errors) == 2


def test_an_unreadable_path(tmp_path: Path) -> None:
    with pytest.raises(SystemFileErrors, match="no system"):
        load_system(tmp_path / "none.yaml")


def test_unknown_names_of_a_card_given_by_the_caller(tmp_path: Path) -> None:
    path = write(tmp_path, mine="system: Mine\n", conventions__stayman="convention: stayman\n")
    assert mistakes(path, {"stayma": True}) == [
        "mine.yaml:1: no convention `stayma`; did you mean `stayman`?",
    ]


# ---------------------------------------------------------------------- what stands elsewhere

OUTSIDE = (
    "stands neither in the folder of the system nor among the shipped systems: "
    "`pidm --folder FOLDER` lets systems include files of another folder"
)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that is no part of any system."""
    path = tmp_path / "elsewhere" / "passwd"
    path.parent.mkdir()
    path.write_text("root:x:0:0:root:/root:/bin/bash\n")
    return path


@pytest.mark.parametrize("key", ["include", "extends"])
def test_files_elsewhere_are_not_read(tmp_path: Path, secret: Path, key: str) -> None:
    (tmp_path / "club").mkdir()
    for name in (str(secret), "../elsewhere/passwd", "sub/../../elsewhere/passwd"):
        path = write(tmp_path / "club", mine=f"system: Mine\n{key}: {name}\n")
        assert mistakes(path) == [f"mine.yaml:2: `{name}` {OUTSIDE}"]


def test_nor_through_a_link(tmp_path: Path, secret: Path) -> None:
    path = write(tmp_path / "club", mine="system: Mine\ninclude: part\ncard: [stayman]\n")
    (path.parent / "part.yaml").symlink_to(secret)
    (path.parent / "stayman.yaml").symlink_to(secret)
    found = mistakes(path)
    assert found[0] == f"mine.yaml:2: `part` {OUTSIDE}"
    assert found[1].startswith("mine.yaml:3: no convention `stayman`")
    assert "root" not in str(found)


def test_a_folder_can_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, club__mine="system: Mine\ninclude: ../common/part\n")
    write(tmp_path, common__part="rules:\n" + block("common"))
    assert OUTSIDE in mistakes(path)[0]
    monkeypatch.setenv(finding.FOLDERS, str(tmp_path / "common"))
    assert titles(load_system(path)) == ["common"]


def test_the_text_of_what_is_no_system_file_is_not_quoted(tmp_path: Path, secret: Path) -> None:
    path = write(tmp_path, mine="system: Mine\ninclude: part\n")
    (tmp_path / "part").write_bytes(secret.read_bytes())
    no_system = "no system file; expected `system:`, `convention:` or `rules:` at the beginning of a line"
    assert mistakes(path) == [f"part:1: {no_system}"]
    assert mistakes(secret)[0] == f"passwd:1: {no_system}"


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = write(tmp_path, mine="system: Mine\ninclude: part\n")
    with open(tmp_path / "part.yaml", "wb") as file:
        file.truncate(3 * 10**9)
    assert mistakes(path) == [
        "part.yaml:1: the file has 3,000,000,000 bytes; at most 2,000,000 are read: split it with `include`"
    ]


@pytest.mark.parametrize("key", ["include", "extends"])
def test_a_chain_of_files_has_an_end(tmp_path: Path, key: str) -> None:
    kind = "system: Mine\n" if key == "extends" else ""
    for number in range(1200):
        write(tmp_path, **{f"part{number}": f"{kind}{key}: part{number + 1}\n"})
    path = write(tmp_path, mine=f"system: Mine\n{key}: part0\n")
    (found,) = mistakes(path)
    assert "each other, more than 50 in a row" in found


@pytest.mark.parametrize(
    "name", ["x" * 300, "x" * 5000, "~nobody_at_all/x", "a\0b"], ids=["300", "5000", "~", "0"]
)
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(SystemFileErrors, match="no system"):
        load_system(name)
    if "\0" not in name and "~" not in name:
        path = write(tmp_path, mine=f"system: Mine\ninclude: {name}\n")
        assert "no file `xxx" in mistakes(path)[0]
        path = write(tmp_path, mine=f"system: Mine\ncard: [{name}]\n")
        assert "expected a name of letters, digits and underscores" in mistakes(path)[0]
        assert "no convention" in mistakes(write(tmp_path, mine="system: Mine\n"), {name: True})[0]
