"""`dyno` in a process that is forked rather than started, and so are the engines that it starts: all that is imported
is there already, which is what a start takes seconds for. On Linux.

The engines are forked ahead, while there is one thread, and wait until `subprocess.Popen` is asked for one: it gets
pipes, environment and session as ever.
"""

from __future__ import annotations

import gc
import inspect
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

_PIPES = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")


def preload() -> None:
    """Import what a run and its engines import. Before the first fork."""
    os.environ |= {"TOKENIZERS_PARALLELISM": "false", "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    import transformers.models.llama.modeling_llama  # noqa: F401

    import core.cli.main  # noqa: F401
    from core.engine.machine import probe  # noqa: F401
    from core.strategies.quantization import weight_only  # noqa: F401

    gc.freeze()


class Forked:
    """`dyno WORDS` with `engines` of its engines forked ahead; what it says goes into a file."""

    def __init__(self, words: Sequence[str], env: Mapping[str, str], said: Path, engines: int) -> None:
        sys.stdout.flush()
        self.pid, self._status = os.fork(), None
        if self.pid == 0:
            _become_dyno(words, env, said, engines)

    def poll(self) -> int | None:
        """The exit status, negative for a signal; None while it runs."""
        return self._waited(os.WNOHANG)

    def wait(self) -> int:
        status = self._waited(0)
        assert status is not None
        return status

    def kill(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)

    def _waited(self, options: int) -> int | None:
        if self._status is None and (found := os.waitpid(self.pid, options))[0]:
            self._status = os.waitstatus_to_exitcode(found[1])
        return self._status


def _become_dyno(words: Sequence[str], env: Mapping[str, str], said: Path, engines: int) -> None:
    status = 70
    try:
        file = os.open(said, os.O_WRONLY | os.O_CREAT, 0o644)
        os.dup2(file, 1)
        os.dup2(file, 2)
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        os.environ |= env
        for _ in range(engines):
            _Popen.spare.append(_Spare([spare.line for spare in _Popen.spare]))
        subprocess.Popen = _Popen  # type: ignore[misc]
        from core.cli.main import main

        status = main(words)
        sys.stdout.flush()
    finally:
        os._exit(status)


class _Spare:
    """An engine to be, that waits for its pipes."""

    def __init__(self, others: Sequence[socket.socket]) -> None:
        self.line, mine = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.pid = os.fork()
        if self.pid == 0:
            for line in (self.line, *others):  # or nobody would notice the end of the run
                line.close()
            _become_engine(mine)
        mine.close()


def _become_engine(line: socket.socket) -> None:
    try:
        message, pipes, *_ = socket.recv_fds(line, 1 << 20, 3)
        if pipes:
            os.setsid()
            for number, pipe in enumerate(pipes):
                os.dup2(pipe, number)
                os.close(pipe)
            os.environ.clear()
            os.environ |= json.loads(message)
            from core.engine.__main__ import main

            main()
    finally:
        os._exit(70)


class _Popen(subprocess.Popen):  # type: ignore[type-arg]
    """Takes a spare engine as long as there is one."""

    spare: ClassVar[list[_Spare]] = []

    def _execute_child(self, *given: Any, **named: Any) -> None:
        if not self.spare:
            super()._execute_child(*given, **named)  # type: ignore[misc]
            return
        found = inspect.signature(super()._execute_child).bind(*given, **named).arguments  # type: ignore[misc]
        engine = self.spare.pop()
        pipes = [found["p2cread"], found["c2pwrite"], found["errwrite"]]
        socket.send_fds(engine.line, [json.dumps(dict(found["env"])).encode()], pipes)
        engine.line.close()
        self.pid, self._child_created = engine.pid, True
        self._close_pipe_fds(*(found[name] for name in _PIPES))  # type: ignore[attr-defined]
