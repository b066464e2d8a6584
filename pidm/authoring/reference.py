"""Boards that lint bids, solved: what they are worth double dummy, and what `two_over_one` makes of them.

They are the deals of seed 0 (`watch.deals_of`), so that an author learns at once what a call costs; the file
is made by `scripts/write_reference`. A line of it holds the tricks of every strain S H D C N by declarer
N E S W as hexadecimal digits, par for NS, and the contract of four players of `two_over_one` by rules.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pidm.bridge.calls import STRAINS, Contract, Vul
from pidm.bridge.scoring import imps, score

FILE = Path(__file__).with_name("reference.txt")
SEED = 0
"""Of the boards of the file."""
PASSED_OUT = "-"


def contract_word(contract: Contract | None) -> str:
    """A contract as one word, `3NXS`; empty if all passed."""
    return "" if contract is None else str(contract).replace(" by ", "")


class Reference(NamedTuple):
    """A board of the file."""

    tricks: str
    """Hexadecimal digits, strain by strain, N E S W in each."""
    par: int
    """What NS score when both sides do their best."""
    contract: str
    """Of `two_over_one`, empty if all passed."""

    def score(self, contract: str, vul: Vul) -> int:
        """What NS score in a contract."""
        if not contract:
            return 0
        made = Contract.from_str(contract)
        taken = int(self.tricks[4 * STRAINS.index(made.strain) + made.declarer], 16)
        points = score(made, vul, taken)
        return -points if made.declarer & 1 else points

    def losses(self, contract: str, vul: Vul) -> tuple[float, float]:
        """The IMPs by which NS and EW do worse than par in a contract, beyond those of the file's pair."""
        mine, theirs = self._below_par(contract, vul), self._below_par(self.contract, vul)
        return mine[0] - theirs[0], mine[1] - theirs[1]

    def _below_par(self, contract: str, vul: Vul) -> tuple[int, int]:
        lost = imps(self.par - self.score(contract, vul))
        return max(lost, 0), max(-lost, 0)

    def __str__(self) -> str:
        return f"{self.tricks} {self.par} {self.contract or PASSED_OUT}"

    @classmethod
    def from_str(cls, line: str) -> Reference:
        """Read a line of the file."""
        tricks, par, contract = line.split()
        return cls(tricks, int(par), "" if contract == PASSED_OUT else contract)


@lru_cache(maxsize=1)
def references() -> list[Reference]:
    """The boards of the file, in the order of the deals."""
    lines = FILE.read_text(encoding="ascii").splitlines()
    return [Reference.from_str(line) for line in lines if not line.startswith("#")]
