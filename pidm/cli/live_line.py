"""Long work as one live line on a terminal, a line for each phase elsewhere, an object a step with --json."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from pidm.cli.options import duration


@contextmanager
def live_line(
    quiet: bool, as_json: bool, phase: Callable[[Any], str], told: Callable[[Any], str]
) -> Iterator[Callable[[Any], None]]:
    """Shows progress, an object with `done`, `total` and `seconds_left`: its phase, and what is told of it
    besides."""
    if quiet:
        yield lambda progress: None
        return
    live = sys.stderr.isatty() and not as_json
    last = ""

    def show(progress: Any) -> None:
        nonlocal last
        if as_json:
            typer.echo(json.dumps({"event": "progress", **vars(progress)}))
            sys.stdout.flush()
            return
        text, more = phase(progress), told(progress)
        if live:
            done = f" {progress.done}/{progress.total}" if progress.total else ""
            left = "" if progress.seconds_left is None else f", {duration(progress.seconds_left)} left"
            sys.stderr.write(f"\r\x1b[K{text}{done}{more}{left}")
            sys.stderr.flush()
        elif text != last:
            typer.echo(f"{text}{more}", err=True)
        last = text

    try:
        yield show
    finally:
        if live:
            sys.stderr.write("\n")


@contextmanager
def interruptible(work: Any, folder: Path) -> Iterator[None]:
    """Work in a directory that is closed in any case; who interrupts it is told how to go on."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"interrupted; go on with: pidm cotrain --resume {folder}", err=True)
        raise typer.Exit(130) from None
    finally:
        work.close()
