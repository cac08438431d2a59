"""The command line. Exit 0: everything finished; 1: something failed and the rest is kept; 2: invalid input."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from core.base.folders import FolderError
from core.cli import advice, check, compare, env, metrics, presets, prompts, run, safe_stdout, strategies
from core.cli.literal_text import literal
from core.cli.shared import Do, Invalid, errors
from core.presets import preset
from core.protocol.engine_process import EngineError
from core.results.journal import JournalError
from core.run.run import RunError
from core.spec import experiment

#: The modules of commands, in the order of `dyno --help`.
COMMANDS = (run, strategies, env, metrics, advice, check, compare, presets, prompts)
INTERRUPTED = 130  # the exit status that shells expect after Ctrl+C


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    with safe_stdout.steady() as out:
        status = _command(argv)
        if out is None:
            return status
        out.flush()
        if out.complaint:
            errors.print(literal(f"standard output cannot be written: {out.complaint}", "red"), soft_wrap=True)
        return status or (1 if out.complaint else 0)


def _command(argv: Sequence[str] | None) -> int:
    arguments = _parser().parse_args(argv)
    try:
        return arguments.do(arguments)
    except (
        Invalid,
        experiment.SpecError,
        RunError,
        JournalError,
        preset.PresetError,
        EngineError,
        FolderError,
    ) as error:
        return _fail(str(error), 2)
    except OSError as error:  # an unexpected error of a file: it has a name, and the system's reason
        return _fail(f"{error.filename or 'a file'}: {error.strerror or error}", 1)
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)


def _fail(message: str, status: int) -> int:
    errors.print(literal(message, "red"), soft_wrap=True)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="dyno", description="A dynamometer for language-model inference.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, do: Do | None, words: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=words, description=words)
        sub.set_defaults(do=do)
        return sub

    for module in COMMANDS:
        module.add_to(command)
    return parser


if __name__ == "__main__":
    sys.exit(main())
