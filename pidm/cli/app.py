"""The typer app. A command is a line in `COMMANDS` and a function in its own module."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from pidm import __version__
from pidm.cli.bidder_options import is_dashes

COMMANDS: dict[str, str] = {
    "ab": "pidm.cli.ab:ab",
    "bench": "pidm.cli.bench:bench",
    "bid": "pidm.cli.bid:bid",
    "challenge": "pidm.cli.challenge:challenge",
    "cotrain": "pidm.cli.cotrain:cotrain",
    "deal": "pidm.cli.bid:deal",
    "diff": "pidm.cli.diff:diff",
    "engine": "pidm.cli.engine:engine",
    "explain": "pidm.cli.system:explain",
    "features": "pidm.cli.features:features",
    "games": "pidm.cli.games:games",
    "learn": "pidm.cli.learn:learn",
    "lint": "pidm.cli.lint:lint",
    "match": "pidm.cli.match:match",
    "net": "pidm.cli.system:net",
    "new": "pidm.cli.new:new",
    "notes": "pidm.cli.system:notes",
    "refinements": "pidm.cli.refinements:refinements",
    "review": "pidm.cli.review:review",
    "rules": "pidm.cli.system:rules",
    "schema": "pidm.cli.system:schema",
    "serve": "pidm.cli.serve:serve",
    "stats": "pidm.cli.stats:stats",
    "tune": "pidm.cli.tune:tune",
}
"""Where each command lives, `module:name`: a function, or a typer app for a command with subcommands."""


class _Command(TyperCommand):
    """A command whose arguments may begin with a dash, as a pass or a void does."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        with_value = {word for one in self.params if not getattr(one, "is_flag", True) for word in one.opts}
        options: list[str] = []
        places: list[str] = []
        waiting = list(args)
        while waiting:
            word = waiting.pop(0)
            if word in with_value:
                options += [word, *waiting[:1]]
                del waiting[:1]
            elif word == "--":
                places += waiting
                break
            else:
                (options if word.startswith("-") and not is_dashes(word) else places).append(word)
        return super().parse_args(ctx, [*options, "--", *places] if any(map(is_dashes, places)) else args)


class _Lazy(TyperGroup):
    """A group that imports a command when it is asked for: the start of one does not pay for the others."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        found = getattr(import_module(module), name)
        if not isinstance(found, typer.Typer):
            function, found = found, typer.Typer(add_completion=False)
            found.command(name=cmd_name, cls=_Command)(function)
        command = get_command(found)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="pidm",
    cls=_Lazy,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"pidm {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version."
    ),
    folder: Annotated[
        list[Path] | None,
        typer.Option("--folder", help="Let systems include files of this folder, too."),
    ] = None,
) -> None:
    """A bridge bidding engine that looks ahead."""
    if folder:
        from pidm.language.finding import FOLDERS, named_folders

        folders = [*named_folders(), *(one.resolve() for one in folder)]
        os.environ[FOLDERS] = os.pathsep.join(map(str, folders))
