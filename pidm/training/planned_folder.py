"""A directory of long work with its plan: started once, held by one process, the same systems throughout."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pidm.files import FolderLock, write_atomic
from pidm.training.settings import TrainingError

Plan = TypeVar("Plan")


class PlannedFolder:
    """`plan.json` in a directory: what was asked, and the state of the systems then."""

    def __init__(self, folder: Path, key: str) -> None:
        """`key` is what the plan is called in the file."""
        self.path = folder / "plan.json"
        self._key, self._lock = key, FolderLock(folder)

    def begin(self) -> None:
        """Take a directory that holds no work yet."""
        folder = self.path.parent
        if self.path.exists():
            raise TrainingError(f"{folder} holds work already; go on with --resume {folder}")
        folder.mkdir(parents=True, exist_ok=True)
        self._hold()

    def write(self, plan: Mapping[str, Any], digests: Mapping[str, str]) -> None:
        """Write what was asked."""
        data = {self._key: plan, "systems": digests}
        write_atomic(self.path, json.dumps(data, indent=1) + "\n")

    def resume(
        self, read: Callable[[dict[str, Any]], Plan], digests: Callable[[Plan], Mapping[str, str]]
    ) -> Plan:
        """Take a directory that holds work, and read what was asked."""
        if not self.path.exists():
            raise TrainingError(f"no work in {self.path.parent}: there is no plan.json")
        self._hold()
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
            plan, known = read(data[self._key]), data["systems"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TrainingError(f"{self.path} is damaged: {error}") from None
        if known != digests(plan):
            raise TrainingError(
                f"the systems of {self.path.parent} have changed since it was started: what was learned would"
                " not fit; start anew, or put the files back"
            )
        return plan

    def release(self) -> None:
        """Let others have it."""
        self._lock.release()

    def _hold(self) -> None:
        if not self._lock.take():
            raise TrainingError(f"somebody is at work in {self.path.parent}")
