"""Renders a model's chat template under hard limits, in a short-lived process of its own.

A template is a program by the model's author. Jinja's sandbox keeps it from files and Python's internals, but not from
a multiplication that takes a minute or a text of 10 GB, which nothing can interrupt inside its process. The process
imports Jinja only: 50 ms of a load.
"""

from __future__ import annotations

import contextlib
import datetime
import faulthandler
import json
import os
import subprocess
import sys
from typing import Any

from core.base.child_process import NO_WINDOW

TEMPLATE_S = 5.0
MEMORY = 1 << 30  # bytes
LONGEST = 200_000  # characters
_LOOK_S = 0.05
_START_S = 60.0  # for Python to start, on a busy machine


class TemplateFault(Exception):
    """Why a template cannot be used, as the end of a sentence."""


def rendered(template: str, message: str, tokens: dict[str, Any]) -> str:
    """Return the template with one user message and the beginning of an answer, as transformers' `apply_chat_template`
    renders it; `tokens` are the tokenizer's special tokens by name. Raises TemplateFault."""
    asked = json.dumps({"template": template, "message": message, "tokens": tokens, "seconds": TEMPLATE_S}, default=str)
    with subprocess.Popen(
        [sys.executable, "-m", "core.engine.base.chat_template"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        creationflags=NO_WINDOW,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    ) as child:
        try:
            answer = json.loads(_answer(child, asked.encode()))
        except ValueError:  # it was ended in the middle
            raise TemplateFault(f"it runs for more than {TEMPLATE_S:g} s") from None
        finally:
            child.kill()
    if "error" in answer:
        raise TemplateFault(answer["error"])
    return str(answer["text"])


def _answer(child: subprocess.Popen[bytes], asked: bytes) -> bytes:
    """Return the child's output. Raises TemplateFault, also if the system cannot limit a process's memory."""
    import psutil

    data: bytes | None = asked
    for _ in range(round((_START_S + TEMPLATE_S) / _LOOK_S)):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return child.communicate(data, timeout=_LOOK_S)[0]
        data = None  # it has it
        with contextlib.suppress(psutil.Error):
            if psutil.Process(child.pid).memory_info().rss > MEMORY:
                raise TemplateFault(_too_large())
    raise TemplateFault(f"it runs for more than {TEMPLATE_S:g} s")


def _too_large() -> str:
    return f"it takes more than {MEMORY >> 30} GiB of memory"


# -- in the process of its own ------------------------------------------------------------------------------
def _render(template: str, message: str, tokens: dict[str, Any]) -> str:
    """Return the rendered template, in an environment as transformers' templates expect: blocks leave no blanks, loops
    can be left, JSON is written unescaped, and the answer's parts may be marked."""
    from jinja2 import TemplateError, nodes
    from jinja2.ext import Extension, loopcontrols
    from jinja2.parser import Parser
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """`{% generation %}…{% endgeneration %}`: keeps the text inside, since nothing is trained here."""

        tags = {"generation"}

        def parse(self, parser: Parser) -> list[nodes.Node]:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    def refuse(message: str) -> None:
        raise TemplateError(message)

    def as_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, **options)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = as_json
    environment.globals |= {"raise_exception": refuse, "strftime_now": datetime.datetime.now().strftime}
    return environment.from_string(template).render(
        messages=[{"role": "user", "content": message}],
        tools=None,
        documents=None,
        add_generation_prompt=True,
        **tokens,
    )


def _limited(seconds: float) -> None:
    """Limit this process's time and memory from now on; it ends when the time is over."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has none, macOS not always
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _main() -> None:
    asked = json.loads(sys.stdin.buffer.read())
    try:
        import jinja2.sandbox  # noqa: F401  (before the clock runs)

        _limited(asked["seconds"])
        text = _render(asked["template"], asked["message"], asked["tokens"])
        if len(text) > LONGEST:
            raise TemplateFault(f"it writes {len(text):,} characters")
        if any("\ud800" <= c <= "\udfff" for c in text):
            raise TemplateFault("it writes half of a surrogate pair, which is no character")
        answer = {"text": text}
    except (MemoryError, OverflowError):
        answer = {"error": _too_large()}
    except Exception as error:  # a template is a program: any error may come from it
        answer = {"error": f"{error}"[:300] or type(error).__name__}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    _main()
