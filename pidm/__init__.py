"""pidm, a bridge bidding engine: the front door.

The names below load their modules on first use, so that `import pidm` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOME = {
    "Auction": "pidm.bridge.auction",
    "Bidder": "pidm.play.bidder",
    "Call": "pidm.bridge.calls",
    "CallError": "pidm.errors",
    "Contract": "pidm.bridge.calls",
    "Deal": "pidm.bridge.cards",
    "Decision": "pidm.play.decision",
    "Hand": "pidm.bridge.cards",
    "HandError": "pidm.errors",
    "IllegalCallError": "pidm.errors",
    "Limit": "pidm.core.limit",
    "PidmError": "pidm.errors",
    "RecordError": "pidm.errors",
    "Seat": "pidm.bridge.calls",
    "System": "pidm.language.system",
    "SystemFileError": "pidm.errors",
    "Vul": "pidm.bridge.calls",
}

__all__ = list(_HOME)

if TYPE_CHECKING:
    from pidm.bridge.auction import Auction as Auction
    from pidm.bridge.calls import Call as Call
    from pidm.bridge.calls import Contract as Contract
    from pidm.bridge.calls import Seat as Seat
    from pidm.bridge.calls import Vul as Vul
    from pidm.bridge.cards import Deal as Deal
    from pidm.bridge.cards import Hand as Hand
    from pidm.core.limit import Limit as Limit
    from pidm.errors import CallError as CallError
    from pidm.errors import HandError as HandError
    from pidm.errors import IllegalCallError as IllegalCallError
    from pidm.errors import PidmError as PidmError
    from pidm.errors import RecordError as RecordError
    from pidm.errors import SystemFileError as SystemFileError
    from pidm.language.system import System as System
    from pidm.play.bidder import Bidder as Bidder
    from pidm.play.decision import Decision as Decision


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'pidm' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
