"""The engine process, `python -m core.engine`: reads commands on stdin and writes events on stdout. torch is imported
only after `hello` was answered, so that the parent gets an answer early."""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import time
from typing import TYPE_CHECKING, Any

from core import __version__
from core.base.folders import cache_folder
from core.engine.base.failures import Refused, failure
from core.protocol import commands, events
from core.protocol.engine_channel import Channel

if TYPE_CHECKING:
    from core.engine.base.runtime import Runtime
    from core.engine.machine.sampler import Sampling
    from core.machine.environment import Environment


class Server:
    """Carries out one command after the other; each ends with one `Done` or `Failed`."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.runtime: Runtime | None = None
        self.sampling: Sampling | None = None
        self.broken = False  # a load failed: its memory is not given back, so only exit is left
        self.steady = True
        self._environment: Environment | None = None

    def serve(self) -> None:
        while True:
            command = self.channel.next()
            if isinstance(command, events.Failed):
                self.channel.send(command)
            else:
                self.carry_out(command)

    def carry_out(self, command: commands.Command) -> None:
        try:
            getattr(self, command.command)(command)
            ending: events.Event = events.Done(command=command.command)
        except BaseException as error:
            self.broken = self.broken or (command.command in ("load", "materialize") and self.runtime is None)
            try:
                ending = failure(error, _DOING[command.command])
            except MemoryError:
                self.channel.write(_NO_MEMORY_TO_SAY_SO)
                return
        if command.command not in ("hello", "env", "measure", "count"):
            self.channel.enter("idle")
        self.channel.send(ending)

    # -- the commands -------------------------------------------------------------------------------------
    def hello(self, command: commands.HelloCommand) -> None:
        self.channel.send(
            events.Hello(
                pid=os.getpid(),
                python=platform.python_version(),
                dyno_version=__version__,
                now_ns=time.perf_counter_ns(),
            )
        )

    def env(self, command: commands.EnvCommand) -> None:
        self.channel.send(events.Env(environment=self.environment()))

    def measure(self, command: commands.MeasureCommand) -> None:
        from core.engine.machine.roof_cache import NotMeasured, machine

        def begins() -> None:
            self.channel.send(events.Progress(done=0, detail="measuring what the machine can do"))

        try:
            found = machine(self.environment(), command.fresh, begins)
        except NotMeasured as error:  # a run goes on without a roofline
            self.channel.log(f"the machine's bandwidth could not be measured: {error}", "warning")
        else:
            self.channel.send(events.Machine(machine=found))

    def count(self, command: commands.CountCommand) -> None:
        from core.engine.load.token_count import count

        self.channel.send(count(command))

    def convert(self, command: commands.ConvertCommand) -> None:
        from core.engine.gguf.convert import converted
        from core.model.finder import resolve

        facts = resolve(command.model)
        if facts.kind == "gguf":
            converted(facts, self.channel)

    def load(self, command: commands.LoadCommand) -> None:
        sampling = self._begin(command)
        from core.engine.load.load import load

        self.runtime = load(command, self.environment(), self.channel, sampling)

    def materialize(self, command: commands.MaterializeCommand) -> None:
        sampling = self._begin(command)
        from core.engine.serve.write_model import materialize

        self.runtime = materialize(command, self.environment(), self.channel, sampling)

    def warm(self, command: commands.WarmCommand) -> None:
        runtime = self._loaded()  # first: after a failed load there may be no memory for the import
        from core.engine.load.strategy_fit import running
        from core.engine.serve.warmup import warm_up

        with running(runtime.model, runtime.variant):
            self.steady = warm_up(runtime, command.prompts, self.channel, self.sampling)

    def trial(self, command: commands.TrialCommand) -> None:
        runtime = self._loaded()
        from core.engine.serve.trial import run_trial

        assert self.sampling is not None
        run_trial(runtime, command, self.channel, self.sampling, self.steady)

    def quality(self, command: commands.QualityCommand) -> None:
        runtime = self._loaded()
        from core.engine.serve.quality import judge

        judge(runtime, command, self.channel)

    def forget(self, command: commands.ForgetCommand) -> None:
        from core.engine.serve.quality import forget

        forget(command.reference)

    def answers(self, command: commands.AnswersCommand) -> None:
        runtime = self._loaded()
        from core.engine.serve.answers import answer

        answer(runtime, command, self.channel)

    def ask(self, command: commands.AskCommand) -> None:
        runtime = self._loaded()
        from core.engine.serve.ask import ask

        ask(runtime, command, self.channel)

    # -----------------------------------------------------------------------------------------------------
    def _begin(self, command: commands.LoadCommand | commands.MaterializeCommand) -> Sampling:
        """Prepare for a model and return its sampler: one model per engine, on the driver's clock."""
        if self.runtime is not None or self.broken:
            raise Refused("this engine has a model already", "Start another engine: unloading is exit.")
        self.channel.offset_ns = command.clock_offset_ns
        self.channel.variant = command.variant.get("name")
        from core.engine.machine.sampler import Sampling

        self.sampling = Sampling(self.channel)
        self.sampling.start()
        return self.sampling

    def environment(self) -> Environment:
        if self._environment is None:
            from core.engine.machine.probe import probe

            self._environment = probe()
        return self._environment

    def _loaded(self) -> Any:
        if self.broken:
            raise Refused("the load failed in this engine", "Start another engine.")
        if self.runtime is None:
            raise Refused("no model is loaded in this engine", "Send `load` first.")
        return self.runtime


_DOING = {
    "hello": "starting", "env": "reading the environment",
    "measure": "measuring the machine", "count": "counting tokens", "convert": "converting the model",
    "load": "loading the model", "materialize": "writing the model", "warm": "warming up", "trial": "measuring",
    "quality": "judging quality", "forget": "removing the reference",
    "answers": "answering prompts", "ask": "answering the prompt",
}  # fmt: skip

# Encoded in advance: there may be no memory left to make it.
_NO_MEMORY_TO_SAY_SO = (
    events.Failed(kind="out_of_memory", message="out of memory", hint="Choose a smaller model.").line() + "\n"
).encode()


def main() -> None:
    # What torch.compile makes is kept across processes, where it can be: libraries make the folder on their import.
    with contextlib.suppress(OSError):
        compiled = cache_folder() / "inductor"
        compiled.mkdir(parents=True, exist_ok=True)
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(compiled))
    if sys.platform != "win32":  # else freed blocks stay in the segment that the loading model was put into
        os.environ.setdefault("PYTORCH_ALLOC_CONF", "expandable_segments:True")
    channel = Channel()
    channel.listen()
    channel.enter("start")
    Server(channel).serve()


if __name__ == "__main__":
    main()
