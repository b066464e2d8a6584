"""Training sessions on disk: killed, resumed, spread over processes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from little_club import club
from records_of_ours import club_evening
from typer.testing import CliRunner

from pidm.bridge.auction import Auction
from pidm.bridge.calls import Seat
from pidm.cli.app import app
from pidm.core.limit import Limit
from pidm.features import HandColumns
from pidm.models.learned_pair import LearnedPair
from pidm.models.learned_seats import LearnedSeats
from pidm.play.bidder import Bidder
from pidm.play.pool import Pool
from pidm.reading.learned_features import key_text
from pidm.reading.refinement_files import Refinements
from pidm.training import session
from pidm.training.session_files import SessionFolder
from pidm.training.settings import Settings, TrainingError
from pidm.training.tagging import NOTHING, Learner, auction_of, fitting

OPTIONS = {"deals": 200, "nets": 4, "examples": 12, "instances": 150, "problems": 150, "sample_size": 30}
COMMAND = (
    "--deals 200 --nets 4 --examples 12 --instances 150 --problems 150 --sample 30 --opponents silent --quiet"
)


def settings_of(system, **changes):
    return Settings(system=system, opponents="silent", **{**OPTIONS, **changes})


def run(folder, settings, pool=None):
    """A session from start to end."""
    with pool or Pool() as working:
        running = session.start(folder, settings, working)
        running.run()
        running.store.close()
    return running


def contents(folder: Path):
    """What must not depend on how a session was run."""
    names = sorted(str(path.relative_to(folder)) for path in folder.rglob("*.yaml"))
    lines = sorted((folder / "examples.jsonl").read_text().splitlines())
    kept = {
        name: (folder / name).read_text() for name in [*names, "states.json", "curve.csv", "settings.json"]
    }
    return kept, lines


@pytest.fixture(scope="module")
def system(tmp_path_factory):
    return club(tmp_path_factory.mktemp("system"))


@pytest.fixture(scope="module")
def whole(system, tmp_path_factory):
    """An uninterrupted session."""
    folder = tmp_path_factory.mktemp("sessions") / "whole"
    run(folder, settings_of(system))
    return folder


# ---------------------------------------------------------------------- what comes out


def test_a_session_leaves_data_that_people_can_read(whole):
    names = {path.name for path in whole.iterdir()}
    assert names == {"settings.json", "states.json", "examples.jsonl", "nets", "curve.csv", "log.txt", "lock"}
    nets = list(Refinements.load(whole))
    assert len(nets) == 4 and any(net.net.refined for net in nets)
    examples = [json.loads(line) for line in (whole / "examples.jsonl").read_text().splitlines()]
    assert all(one["call"] in one["values"] and len(one["values"]) > 1 for one in examples)
    assert len(examples) == sum(net.examples for net in nets) > 20


def test_auctions_that_come_up_often_and_cost_much_are_learned_first(whole):
    queue = json.loads((whole / "states.json").read_text())
    rewards = [one["count"] * one["cost"] for one in queue]
    assert rewards == sorted(rewards, reverse=True)
    learned = {key_text(net.key) for net in Refinements.load(whole)}
    assert learned == {one["auction"] for one in queue[:4]}


def test_less_is_open_after_learning(whole):
    curve = SessionFolder(whole).read_curve()
    assert [row["nets"] for row in curve] == ["0", "2", "4"]
    assert float(curve[-1]["lookahead_ratio"]) < 0.9 * float(curve[0]["lookahead_ratio"])


def test_a_trained_bidder_generates_fewer_instances(system, whole):
    state = json.loads((whole / "examples.jsonl").read_text().splitlines()[0])["state"]
    dealer, vul = "NESW"[state[0]], ("None", "NS", "EW", "Both")[state[1]]
    question = (state[3], state[2], dealer, vul)
    limit = Limit(instances=150)
    assert Bidder(system, opponents="silent", limit=limit).bid(*question).by == "simulation"
    settled = 0
    for line in (whole / "examples.jsonl").read_text().splitlines():
        state = json.loads(line)["state"]
        bidder = Bidder(system, opponents="silent", limit=limit, refinements=whole)
        decision = bidder.bid(state[3], state[2], "NESW"[state[0]], ("None", "NS", "EW", "Both")[state[1]])
        settled += decision.by == "refinement"
        assert (decision.by == "refinement") == (decision.instances == 0)
    assert settled > 8


# ---------------------------------------------------------------------- interruption


def start_command(*arguments):
    code = "import sys; from pidm.cli import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.Popen([sys.executable, "-c", code, "cotrain", *arguments], env=environment)


def kill_when(process, folder, lines):
    """SIGKILL as soon as so many examples are there."""
    path = folder / "examples.jsonl"
    end = time.monotonic() + 120
    while process.poll() is None and time.monotonic() < end:
        if path.exists() and path.read_bytes().count(b"\n") >= lines:
            process.send_signal(signal.SIGKILL)
            break
        time.sleep(0.002)
    return process.wait(timeout=120)


def test_killed_and_resumed_gives_the_same_as_uninterrupted(system, whole, tmp_path):
    folder = tmp_path / "killed"
    process = start_command(system, "--out", str(folder), *COMMAND.split())
    assert kill_when(process, folder, 3) == -signal.SIGKILL
    process = start_command("--resume", str(folder), "--quiet")
    assert kill_when(process, folder, 18) == -signal.SIGKILL
    assert len(list((folder / "nets").glob("*.yaml"))) < 4
    # As if the power had failed in the middle of three writes.
    with open(folder / "examples.jsonl", "ab") as file:
        file.write(b'{"round": 1, "auction": "0 1')
    (folder / "nets" / ".1N-P.yaml.0123456789ab.tmp").write_text("refinement: 1\nauc")
    (folder / "curve.csv").unlink(missing_ok=True)
    assert start_command("--resume", str(folder), "--quiet").wait(timeout=120) == 0
    assert contents(folder) == contents(whole)
    assert not list(folder.rglob("*.tmp"))


def test_resuming_a_finished_session_changes_nothing(whole):
    before = contents(whole)
    with Pool() as pool:
        running = session.resume(whole, pool)
        running.run()
        running.store.close()
    assert contents(whole) == before


def test_two_sessions_in_one_directory_the_second_says_no(whole):
    first = SessionFolder(whole)
    first.hold()
    result = CliRunner().invoke(app, ["cotrain", "--resume", str(whole), "--quiet"])
    assert result.exit_code == 2 and "another session is at work" in result.stderr
    first.close()


def test_a_directory_with_a_session_takes_no_new_one(system, whole):
    result = CliRunner().invoke(app, ["cotrain", system, "--out", str(whole), *COMMAND.split()])
    assert result.exit_code == 2 and "--resume" in result.stderr


def test_a_system_that_changed_is_not_resumed(tmp_path):
    path = Path(club(tmp_path))
    store = SessionFolder(tmp_path / "session")
    store.create(settings_of(str(path)))
    store.close()
    path.write_text(path.read_text().replace("8-9 hcp", "7-9 hcp"))
    with pytest.raises(TrainingError, match="have changed"):
        SessionFolder(tmp_path / "session").resume()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--resume", "nowhere"], "no session in nowhere"),
        (["x.yaml", "--out", "new", "--seconds", "1", "--instances", "5"], "seconds or in instances"),
        (["x.yaml", "--out", "new", "--nets", "0"], "nets is at least 1"),
        (["x.yaml", "--out", "new", "--utility", "hope"], "hope"),
        ([], "--out DIR"),
        (["two_over_one", "--resume", "new"], "leave the name out"),
    ],
)
def test_mistakes_are_told_in_a_line(arguments, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["cotrain", *arguments])
    assert result.exit_code == 2 and words in " ".join(result.stderr.split())
    assert not Path("new").exists()


# ---------------------------------------------------------------------- folders that are not as they were


def test_only_its_own_files_are_touched(whole, tmp_path):
    folder = tmp_path / "session"
    shutil.copytree(whole, folder)
    strangers = [".mine.tmp", "nets/.draft.0123456789ab.tmp", "notes/.x.yaml.0123456789ab.tmp"]
    ours = [".curve.csv.0123456789ab.tmp", "nets/.1N-P.yaml.0123456789ab.tmp"]
    (folder / "notes").mkdir()
    for name in (*strangers, *ours):
        (folder / name).write_text("half")
    store = SessionFolder(folder)
    store.resume()
    store.close()
    assert all((folder / name).exists() for name in strangers)
    assert not any((folder / name).exists() for name in ours)


def test_a_new_session_has_its_folder_to_itself(system, tmp_path):
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "thesis.txt").write_text("two years of work")
    with pytest.raises(TrainingError, match="is not empty and no session .it holds thesis.txt"):
        SessionFolder(folder).create(settings_of(system))
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
    (folder / "thesis.txt").unlink()
    (folder / "lock").write_text("")  # a start that was killed
    (folder / ".settings.json.0123456789ab.tmp").write_text("{")
    store = SessionFolder(folder)
    store.create(settings_of(system))
    store.close()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("settings.json", b"\xff\xfe", "settings.json: .*decode"),
        ("settings.json", b"[1, 2]", "settings.json: expected an object"),
        ("settings.json", b'{"settings": {}}', "there is no 'systems'"),
        ("settings.json", b'{"settings": {"nets": "4"}, "systems": {}}', "nets is int, not '4'"),
        ("settings.json", b'{"settings": {"tolerance": NaN}, "systems": {}}', "tolerance is float"),
        ("settings.json", b'{"settings": {"within": 3}, "systems": {}}', "within is tuple"),
        ("settings.json", b"[" * 100_000, "settings.json: .*recursion"),
        ("states.json", b"{}", "states.json: expected a list"),
        ("states.json", b"[7]", "states.json: auction 1: expected an object"),
        ("states.json", b'[{"auction": "1N P"}]', "auction 1: there is no 'partner'"),
        ("states.json", b"[" + b"9" * 5000 + b"]", "states.json: "),
        ("examples.jsonl", b"{}\n", "examples.jsonl:1: there is no 'round'"),
        ("examples.jsonl", b"\x00\n{}\n", "examples.jsonl:1: "),
        ("curve.csv", b"round,nets\n1,2\n", "curve.csv:2: expected a number for each of"),
        ("curve.csv", b"round,nets,examples,score,lookahead_ratio\n1,2,3,x,1\n", "curve.csv:2: .*'x'"),
        ("curve.csv", b"round,nets,examples,score,lookahead_ratio\n1,2,3,nan,1\n", "curve.csv:2: expected"),
        ("curve.csv", b"\xff", "curve.csv: .*decode"),
    ],
)
def test_a_damaged_folder_is_told_with_the_place(whole, tmp_path, name, content, words):
    folder = tmp_path / "session"
    shutil.copytree(whole, folder)
    (folder / name).write_bytes(content)
    store = SessionFolder(folder)
    with pytest.raises(TrainingError, match=words):
        store.resume()
        session.Session(store, settings_of("two_over_one"), Pool()).run()
    store.close()


@pytest.mark.parametrize("name", ["settings.json", "states.json", "examples.jsonl", "curve.csv"])
def test_no_mutant_of_a_folder_is_a_traceback(whole, tmp_path, name):
    rng = np.random.default_rng(7)
    folder = tmp_path / "session"
    shutil.copytree(whole, folder)
    content = (whole / name).read_bytes()
    store = SessionFolder(folder)
    for _ in range(60):
        mutant = bytearray(content[: int(rng.integers(1, len(content)))] if rng.random() < 0.3 else content)
        for at in rng.integers(0, len(mutant), 3):
            mutant[at] = int(rng.integers(0, 256))
        (folder / name).write_bytes(mutant)
        try:
            store.settings()
            store.read_states()
            store.read_examples()
            store.read_curve()
        except TrainingError as error:
            assert name in str(error)


# ---------------------------------------------------------------------- many hands


def test_the_number_of_processes_does_not_matter(system, whole, tmp_path):
    run(tmp_path / "two", settings_of(system), Pool(2))
    assert contents(tmp_path / "two") == contents(whole)


def test_a_dask_cluster_of_two_processes_learns_the_same(system, whole, tmp_path):
    run(tmp_path / "dask", settings_of(system), Pool(2, "dask"))
    assert contents(tmp_path / "dask") == contents(whole)


# ---------------------------------------------------------------------- two who differ


def test_partners_may_have_different_utilities(system, tmp_path):
    running = run(tmp_path / "two", settings_of(system, partner_utility="ltc", nets=4))
    mine, partners = Refinements.load(tmp_path / "two"), Refinements.load(tmp_path / "two", partner=True)
    assert len(mine) == len(partners) == 2
    assert {one.about["partner"] for one in partners} == {1}
    bidder = Bidder(system, opponents="silent", refinements=tmp_path / "two")
    assert [len(learned) for learned in bidder.refinements] == [2, 2]
    assert running.pupils[0].partner.keys() == {one.key for one in partners}, "exchanged"


def test_tags_ask_what_partner_has_learned(system, whole):
    """The simulation service: partner's nets, not partner's rules, answer in the lookahead."""
    settings = replace(settings_of(system), instances=400, sample_size=100)
    state = (0, 0, "1N P", "QJ32.Q32.Q32.432")
    plain = Learner(settings, 0, NOTHING).tag(state)
    # Opener, who would accept any invitation with 15 by what it has learned.
    learned = json.loads(json.dumps(_always_accepts(system)))
    view = json.dumps({"mine": [], "partner": [learned]})
    told = Learner(settings, 0, view).tag(state)
    assert told["values"] != plain["values"]


def _always_accepts(system):
    from pidm.bridge.calls import Call
    from pidm.core.choices import Proposal
    from pidm.core.induction import Learned
    from pidm.reading.refinement import Refinement, fresh_net

    calls = tuple(Call.from_str(call) for call in ("1N", "P", "2N", "P"))
    net = fresh_net([Call.from_str("P"), Call.from_str("3N")])
    own_pass, _, _, near_game = net.root.children
    node = net.intersect([own_pass, near_game])
    net.set_actions(node, [Proposal(Call.from_str("3N"), Learned(9, 9))])
    return Refinement(calls, net).to_dict()


def test_what_was_learned_is_printed(whole):
    result = CliRunner().invoke(app, ["refinements", str(whole)])
    assert result.exit_code == 0 and "examples)" in result.stdout
    as_data = CliRunner().invoke(app, ["refinements", str(whole), "--json"])
    assert len(json.loads(as_data.stdout)) == 4
    nothing = CliRunner().invoke(app, ["refinements", str(whole / "nets" / "none")])
    assert nothing.exit_code == 2 and "no directory" in nothing.stderr


def test_what_changes_calls_is_shown_and_written_by_itself(whole, tmp_path):
    out = tmp_path / "changes"
    result = CliRunner().invoke(app, ["refinements", str(whole), "--changes", "--out", str(out)])
    assert result.exit_code == 0, result.output
    changed = [one for one in Refinements.load(whole) if any(one.changes())]
    assert 0 < len(changed) == len(list(out.glob("*.yaml")))
    shown = CliRunner().invoke(app, ["refinements", str(out)])
    assert shown.exit_code == 0 and shown.stdout == result.stdout
    again = CliRunner().invoke(app, ["refinements", str(whole), "--changes", "--out", str(out)])
    assert again.exit_code == 2 and "is not empty: expected a new directory" in again.output


def test_auctions_come_in_the_order_that_is_asked_for(system, whole, tmp_path):
    run(tmp_path / "gain", settings_of(system, first="gain", nets=1))
    for folder, first in ((whole, "cost"), (tmp_path / "gain", "gain")):
        rewards = [one["count"] * one[first] for one in SessionFolder(folder).read_states()]
        assert rewards == sorted(rewards, reverse=True) and len(rewards) > 1
    with pytest.raises(TrainingError, match="cost or gain, not 'luck'"):
        settings_of(system, first="luck")


# ---------------------------------------------------------------------- opponents learned from records


@pytest.fixture(scope="module")
def rivals(tmp_path_factory):
    """A model of a pair that bids two_over_one, more or less."""
    path = tmp_path_factory.mktemp("models") / "club.pair"
    club_evening()[0].save(path)
    return str(path)


def test_opponents_may_be_learned_from_records(system, rivals, tmp_path):
    settings = settings_of(system, nets=2, examples=6)
    learned = replace(settings, opponents=rivals)
    run(tmp_path / "learned", learned)
    nets = list(Refinements.load(tmp_path / "learned"))
    assert len(nets) == 2 and sum(net.examples for net in nets) > 4
    run(tmp_path / "again", learned, Pool(2))
    assert contents(tmp_path / "again") == contents(tmp_path / "learned"), "whoever does the work"


def test_learned_opponents_bid_as_they_do_when_deals_are_surveyed(rivals):
    """Nobody but us is surveyed, and what stands between our calls are likeliest calls of the model."""
    model = club_evening()[0]
    learner = Learner(replace(settings_of("two_over_one"), opponents=rivals), 0, NOTHING)
    states = learner.survey(0, 24)
    auctions = [auction_of(state) for state in states]
    assert {auction.actor & 1 for auction in auctions} == {0}
    assert any(one.seat_of(k) & 1 and call.is_bid for one in auctions for k, call in enumerate(one.calls))
    table = learner.table(Seat.N)
    for auction in auctions[:6]:
        worlds = fitting(
            table, auction, 200, np.random.default_rng(3), LearnedSeats(table, {1: model, 3: model})
        )
        for k, call in enumerate(auction.calls):
            before = Auction(auction.dealer, auction.vul, auction.calls[:k])
            if before.actor & 1:
                made = model.choices(before, HandColumns(worlds[:, before.actor])).preferred()
                assert (made == call).all()


def test_tags_ask_the_model_of_the_opponents(rivals):
    """Its chances weigh the deals of a tag, and its replies carry the auctions on."""
    asked = []

    class Listening(LearnedPair):
        def likelihood(self, history, columns, action):
            asked.append(("chances", str(history.actor)))
            return super().likelihood(history, columns, action)

        def choices(self, history, columns):
            asked.append(("replies", str(history.actor)))
            return super().choices(history, columns)

    learner = Learner(replace(settings_of("two_over_one"), opponents=rivals), 0, NOTHING)
    known = learner.bidder.models
    model = Listening(known[1].network, known[1].origin)
    known.update(dict.fromkeys(known, model))
    tag = learner.tag((0, 0, "1S 2H", "K72.83.AQ964.J52"))
    assert len(tag["values"]) > 1
    assert {what for what, _ in asked} == {"chances", "replies"}
    assert {seat for _, seat in asked} == {"E", "W"}


def test_a_model_that_was_learned_anew_is_not_resumed(system, tmp_path):
    path = tmp_path / "club.pair"
    model = club_evening()[0]
    model.save(path)
    store = SessionFolder(tmp_path / "session")
    store.create(replace(settings_of(system), opponents=str(path)))
    store.close()
    LearnedPair(model.network, replace(model.origin, trust=0.5, system="two_over_one")).save(path)
    with pytest.raises(TrainingError, match=r"club\.pair have changed"):
        SessionFolder(tmp_path / "session").resume()


def test_a_pair_learned_from_records_does_not_learn(rivals):
    for changes in ({"system": rivals}, {"partner": rivals}):
        with pytest.raises(TrainingError, match="only opponents can be"):
            Settings(**changes)
