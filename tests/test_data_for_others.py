"""What others can use: flat tables, data frames, HTML for notebooks, and the notebook of the docs."""

import csv
import io
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pidm import Auction, Bidder, Deal, Hand, Seat
from pidm.cli.app import app
from pidm.play.call_table import COLUMNS, MEASURED, rows_of_deals, to_csv

NOTEBOOK = Path(__file__).parent.parent / "docs" / "notebook.ipynb"
DEAL = Deal.from_str("N:AQJ93.AKJ6.J65.2 K82.QT3.AQ4.KJ76 T76.987.KT87.A98 54.542.932.QT543")


@pytest.fixture(scope="module")
def bidder() -> Bidder:
    return Bidder("two_over_one", limit=None, look=False)


def test_every_call_is_a_line(bidder: Bidder) -> None:
    bid = bidder.bid_deal(DEAL)
    rows = list(csv.DictReader(io.StringIO(to_csv(rows_of_deals([bid, bid], ["a", "b"])))))
    calls = [str(call) for call in bid.auction.calls]
    assert [row["call"] for row in rows] == calls * 2
    assert {row["board"] for row in rows} == {"a", "b"}
    assert [row["auction"] for row in rows[:3]] == ["", calls[0], " ".join(calls[:2])]
    assert rows[0]["system_call"] == calls[0] and rows[0]["fits"] == "True"
    assert Hand.from_str(rows[1]["hand"]) == DEAL[Seat.E]


def test_the_command_prints_the_table() -> None:
    ran = CliRunner().invoke(app, ["deal", "--csv", "-n", "2", "--no-search", "--seed", "5"])
    rows = list(csv.DictReader(io.StringIO(ran.stdout)))
    assert tuple(rows[0]) == COLUMNS
    assert {row["board"] for row in rows} == {"1", "2"}


def test_answers_are_a_data_frame_where_pandas_is_there(bidder: Bidder) -> None:
    pytest.importorskip("pandas")
    frame = bidder.bid_many([(DEAL[Seat.N], Auction()), (DEAL[Seat.E], Auction.from_str("1S"))]).to_frame()
    assert list(frame.columns) == list(COLUMNS)
    assert frame["call"][0] == "1S"
    # nothing was simulated, and the columns are numbers all the same
    assert {str(frame[name].dtype) for name in MEASURED} == {"float64"} and frame["gain"].isna().all()


def test_values_show_themselves_in_notebooks(bidder: Bidder) -> None:
    assert DEAL[Seat.N]._repr_html_().startswith('<span style="color:inherit">♠</span>AQJ93 ')
    assert DEAL._repr_html_().count("<td") == 9
    rows = Auction.from_str("1S P 2H P", dealer=Seat.E)._repr_html_().split("<tr>")
    assert rows[2] == '<td></td><td></td><td>1<span style="color:inherit">♠</span></td><td>pass</td></tr>'
    decision = bidder.bid(DEAL[Seat.N])
    assert "<b>1<span" in decision._repr_html_() and "The system says 1S" in decision._repr_html_()
    assert (
        "passed out" in bidder.bid_deal(DEAL)._repr_html_() or " by " in bidder.bid_deal(DEAL)._repr_html_()
    )


def test_every_cell_of_the_notebook_runs() -> None:
    cells = json.loads(NOTEBOOK.read_text())["cells"]
    names: dict[str, object] = {}
    ran = 0
    for cell in cells:
        if cell["cell_type"] == "code":
            assert not cell["outputs"], "the page is kept without outputs"
            exec(compile("".join(cell["source"]), str(NOTEBOOK), "exec"), names)
            ran += 1
    assert ran >= 6
    assert names["belief"].consistent > 0.9  # type: ignore[attr-defined]
