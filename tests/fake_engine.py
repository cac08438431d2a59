"""An engine without a model: it speaks the protocol in real time, and misbehaves when told to.

python fake_engine.py [normal|slow|floods|dies|runs_out_of_memory|refuses|silent|stubborn]
    [--at load|warm|trial|quality|answers|ask] [--only NAME] [--pace MS] [--load-s S] [--room FILE] [--estimates]
    [--stall measure|warm|quality|divergence|suite]

`slow` takes 30 s to load and 50 ms a token; `floods` sends 5,000 tokens a second in batches of 30 ms; `dies` kills
itself and `runs_out_of_memory` and `refuses` report a failure in the phase `--at`; `silent` never answers; `stubborn`
is `slow` that ignores SIGTERM and the end of its input. `--only` leaves all other variants normal. `--room` is a file
for all engines of a test: only one of them at a time has room for its model, and another one that loads runs out of
memory, or says ahead that it will (`--estimates`). `--stall` takes half a minute in a phase.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import signal
import sys
import threading
import time
from pathlib import Path

import psutil

from core.machine.environment import Environment
from core.machine.machine_roof import MachineRoof, RoofReading
from core.model.receipt import Receipt
from core.model.step_anatomy import Anatomy
from core.protocol import commands, events

DOING = {  # as real engines say it
    "load": "loading the model", "warm": "warming up", "trial": "measuring", "quality": "judging quality",
    "answers": "answering prompts", "ask": "answering the prompt",
}  # fmt: skip
MODES = ("normal", "slow", "floods", "dies", "runs_out_of_memory", "refuses", "silent", "stubborn")
TEXT = "the belt turns and every second round is counted with care before anyone speaks of speed"
WORDS = TEXT.split()


def say(event: events.Event) -> None:
    sys.stdout.write(event.line() + "\n")
    sys.stdout.flush()


class FakeEngine:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.mode = options.mode
        self.load: commands.LoadCommand | None = None
        self.trials = 0
        self.stopped = threading.Event()

    # -- behaviour -----------------------------------------------------------------------------------------
    def misbehaves(self, phase: str) -> bool:
        name = self.load.variant["name"] if self.load else ""
        return self.options.at == phase and self.options.only in ("", name)

    def stumble(self, phase: str) -> bool:
        """Whether the command ends here."""
        if not self.misbehaves(phase):
            return False
        if self.mode == "dies":
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        if self.mode == "runs_out_of_memory":
            say(events.Failed(
                kind="out_of_memory",
                message=f"out of memory while {DOING[phase]}: the engine holds 1.2 GB, "
                "0.71 GB are free on this machine",
                hint="Close other programs, or choose a smaller model, precision or context.",
            ))  # fmt: skip
            return True
        if self.mode == "refuses":
            say(events.Failed(kind="refused", message="this recipe cannot run", hint="Leave it out"))
            return True
        return False

    @property
    def pace_s(self) -> float:
        """Seconds a token; a quantized variant is faster, so that there is something to compare."""
        method = str((self.load.variant.get("quantization") or {}).get("method")) if self.load else ""
        share = 0.5 if method.startswith("int4") else 0.7 if method.startswith("int8") else 1.0
        pace_ms = self.options.pace or (50 if self.mode in ("slow", "stubborn") else 1.0)
        return share * pace_ms / 1000 * random.uniform(0.97, 1.03)

    # -- commands ------------------------------------------------------------------------------------------
    def answer(self, command: commands.Command) -> None:
        if self.mode == "silent":
            return
        if self.options.stall and self.options.stall in (command.command, getattr(command, "purpose", "")):
            say(events.Progress(done=0, detail=f"stalls in {self.options.stall}"))
            time.sleep(30)
        match command:
            case commands.HelloCommand():
                say(events.Hello(
                    pid=os.getpid(), python="3.11", dyno_version="fake", now_ns=time.perf_counter_ns()
                ))  # fmt: skip
            case commands.EnvCommand():
                say(events.Env(environment=environment()))
            case commands.MeasureCommand():
                say(events.Machine(machine=machine()))
            case commands.LoadCommand():
                self.load = command
                if self.do_load():
                    return
            case commands.WarmCommand():
                say(events.Phase(phase="warmup"))
                if self.stumble("warm"):
                    return
                began = time.perf_counter()
                for _ in range(2):
                    self.generate(None, 8)
                say(events.Warm(warmup_s=time.perf_counter() - began, passes=2, steady=True))
            case commands.TrialCommand():
                if self.do_trial(command):
                    return
            case commands.QualityCommand():
                if self.do_quality(command):
                    return
            case commands.AnswersCommand():
                if self.do_answers(command):
                    return
            case commands.AskCommand():
                if self.do_ask(command):
                    return
            case commands.CountCommand():
                say(events.Counted(tokens=[len(text.split()) for text in command.texts], template=5))
        say(events.Phase(phase="idle"))
        say(events.Done(command=command.command))

    def do_load(self) -> bool:
        assert self.load is not None
        seconds = 30.0 if self.mode in ("slow", "stubborn") else self.options.load_s
        total, began = 269_000_000, time.perf_counter()
        say(events.Phase(phase="load"))
        for step in range(1, 11):
            time.sleep(seconds / 10)
            say(events.Progress(done=total * step / 10, total=total, unit="B"))
        if self.stumble("load") or not self.has_room():
            return True
        slots = {k: v for k, v in self.load.variant.items() if k != "name"}
        say(events.Phase(phase="transform"))
        say(events.Loaded(
            load_s=time.perf_counter() - began, weights_bytes=total // (2 if slots else 1),
            weights_bytes_before=total, parameters=134_515_008, device="cpu", dtype="bf16", fingerprint="f" * 64,
            anatomy=anatomy(total // (2 if slots else 1)),
        ))  # fmt: skip
        self.receipts()
        return False

    def has_room(self) -> bool:
        """Takes the room if the process that has it is gone."""
        path = self.options.room
        if path is None:
            return True
        holder = int(path.read_text()) if path.exists() else 0
        taken = holder not in (0, os.getpid()) and psutil.pid_exists(holder)
        if self.options.estimates:
            free = 1 << 30 if taken else 4 << 30
            say(events.Estimate(needed_bytes=2 << 30, loading_bytes=2 << 30, free_bytes=free, where="this machine"))
            time.sleep(5 if taken else 0)  # and goes on loading
        if taken:
            say(events.Failed(kind="out_of_memory", message="Out of memory in load: 2 GiB needed, 1 GiB was free"))
            return False
        path.write_text(str(os.getpid()))
        return True

    def receipts(self) -> None:
        assert self.load is not None
        slots = {k: v for k, v in self.load.variant.items() if k != "name"}
        say(events.Receipts(receipts=[
            Receipt(slot=k, requested=v["method"], effective=v["method"], matches=True, detail={"layers": 30})
            for k, v in slots.items()
        ]))  # fmt: skip

    def do_trial(self, command: commands.TrialCommand) -> bool:
        assert self.load is not None
        count, requests = self.load.workload.new_tokens, 1 + len(command.others)
        say(events.Phase(phase="trial", round=command.round))
        arrival = time.perf_counter_ns()
        if self.stumble("trial"):
            return True
        time.sleep(10 * self.pace_s)  # the prefill
        self.generate(command.round, count, requests)
        end = time.perf_counter_ns()
        self.trials += 1
        say(events.TrialDone(
            round=command.round,
            requests=[events.RequestTimes(
                request=i, arrival_ns=arrival, dispatch_ns=arrival, end_ns=end,
                prompt_tokens=self.load.workload.prompt_tokens, new_tokens=count,
            ) for i in range(requests)],
            requested_tokens=count * requests, concurrency=self.load.workload.concurrency,
            prompt_ids=[1, 2, 3], token_ids=list(range(count)),
            text=" ".join(WORDS[i % len(WORDS)] for i in range(count)),
            kv_bytes=23_040 * (count + self.load.workload.prompt_tokens),
        ))  # fmt: skip
        if self.trials == 1:
            self.receipts()
        return False

    def do_quality(self, command: commands.QualityCommand) -> bool:
        """A reference, or a variant that is a little worse everywhere; chunks take ten tokens' time each."""
        say(events.Phase(phase="quality"))
        if self.stumble("quality"):
            return True
        stride = command.window // 2
        tokens = [min(stride, command.tokens - start) for start in range(0, command.tokens, stride)]
        for number in range(1, len(tokens) + 1):
            time.sleep(10 * self.pace_s)
            say(events.Progress(done=sum(tokens[:number]), total=command.tokens, unit="tokens"))
        compared = command.role == "compare"
        say(events.Quality(
            role=command.role, window=command.window, vocabulary=49_152, chunk_tokens=tokens,
            chunk_nll=[3.0 * n + (0.005 * n if compared else 0) for n in tokens],
            chunk_base_nll=[3.0 * n for n in tokens] if compared else [],
            chunk_kld=[0.004 * n for n in tokens] if compared else [],
            chunk_same_top=[n - n // 50 for n in tokens] if compared else [],
            kld_p99=0.03 if compared else None, kld_histogram=[0] * 40, text_sha256="a" * 64,
        ))  # fmt: skip
        return False

    def do_answers(self, command: commands.AnswersCommand) -> bool:
        """The prompt itself, in capitals, a token a word; one that is quantized leaves out every last word."""
        assert self.load is not None
        say(events.Phase(phase="quality"))
        if self.stumble("answers"):
            return True
        answers = []
        for number, prompt in enumerate(command.prompts, 1):
            time.sleep(self.pace_s)
            words = prompt.upper().split()[: command.max_tokens]
            if "quantization" in self.load.variant:
                words = words[:-1]
            ids = [len(word) for word in words]
            answers.append(events.Answer(token_ids=ids, margins=[0.5] * len(ids), text=" ".join(words), ended=True))
            say(events.Progress(done=number, total=len(command.prompts), unit="answers"))
        say(events.Answers(purpose=command.purpose, answers=answers))
        return False

    def do_ask(self, command: commands.AskCommand) -> bool:
        """A sentence again and again, a token a word, at most 40 of them; a quantized variant loses its thread at the
        seventh."""
        assert self.load is not None
        say(events.Phase(phase="answer"))
        if self.stumble("ask"):
            return True
        begin, at, said = time.perf_counter_ns(), [], []
        skips, drafts = "quantization" in self.load.variant, "speculation" in self.load.variant
        time.sleep(5 * self.pace_s)
        most = min(command.max_tokens, 40)
        while len(said) < most and not self.stopped.is_set():
            time.sleep(self.pace_s if said else 0)
            at.append(time.perf_counter_ns())
            said.append((len(said) + (skips and len(said) >= 6)) % len(WORDS))
            say(events.Steps(round=None, at_ns=at[-1:], tokens=[1]))
            say(events.Text(round=None, text=WORDS[said[-1]] + " "))
        ended = "stopped" if len(said) < most else "cap" if most == command.max_tokens else "end"
        say(events.Reply(
            dispatch_ns=begin, at_ns=at, tokens=[1] * len(at), prompt_tokens=len(command.prompt.split()),
            token_ids=said, text=" ".join(WORDS[i] for i in said), ended=ended,
            drafted=4 * drafts, accepted=3 * drafts,
        ))  # fmt: skip
        return False

    def generate(self, number: int | None, count: int, requests: int = 1) -> None:
        """Steps and text in batches of 30 ms, as an engine sends them; all requests step together."""
        at: list[int] = []
        sent, began = 0, time.perf_counter()
        for done in range(1, count + 1):
            if self.mode == "floods":  # 5,000 a second, whatever the sleep's resolution
                while time.perf_counter() - began < done / 5000:
                    time.sleep(0.002)
            else:
                time.sleep(self.pace_s)
            at.append(time.perf_counter_ns())
            if done == count or (at[-1] - at[0]) > 30e6:
                for request in range(requests):
                    say(events.Steps(round=number, request=request, at_ns=at, tokens=[1] * len(at)))
                text = "".join(WORDS[i % len(WORDS)] + " " for i in range(sent, done))
                say(events.Text(round=number, text=text))
                self.sample("warmup" if number is None else "trial")
                sent, at = done, []

    def sample(self, phase: events.PhaseName) -> None:
        say(events.Sample(
            phase=phase, process_bytes=900_000_000 + random.randrange(20_000_000),
            cpu_pct=180.0, foreign_cpu_pct=3.0, steal_pct=0.0,
        ))  # fmt: skip


def environment() -> Environment:
    return Environment(
        hostname="fake", platform="Linux", python="3.11", cpu="Fake CPU", cores=2, ram_bytes=16 << 30,
        cpu_features=["avx2", "avx512f"], threads=2, 
        versions={
            "torch": "2.13.0", "transformers": "5.24.0", "accelerate": "1.15.0", "gguf": "0.17.0",
            "safetensors": "0.6.0",
        },
    )  # fmt: skip


def machine() -> MachineRoof:
    """Far faster than the pace of any test, so that the same always binds: nothing of it."""
    return MachineRoof(
        device="cpu", readings=[RoofReading(bytes=1 << 28, sum=4e12, gemv=4e12)], peaks={"fp32": 1e13, "bf16": 4e13},
        operation_s=1e-6, llc_bytes=32 << 20, threads=2,
    )  # fmt: skip


def anatomy(read: int) -> Anatomy:
    """Of the demo model, with that many bytes of weights."""
    head = 49_152 * 576
    return Anatomy(
        layers=30, hidden=576, heads=9, kv_heads=3, head_dim=64, element_bytes=2, body_bytes=read - 2 * head,
        head_bytes=2 * head, embedding_bytes=2 * head, embedding_row_bytes=1152, matrix_weights=134_479_872,
        head_weights=head, windows=[0] * 30, computes_in="bf16",
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("mode", nargs="?", choices=MODES, default="normal")
    parser.add_argument("--at", choices=("load", "warm", "trial", "quality", "answers", "ask"), default="load")
    parser.add_argument("--only", default="")
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--load-s", type=float, default=0.05)
    parser.add_argument("--room", type=Path)
    parser.add_argument("--estimates", action="store_true")
    parser.add_argument("--stall", default="", help="a command, or the purpose of its answers")
    options = parser.parse_args()
    inbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin.buffer:
            if isinstance(command := commands.decode(line), commands.StopCommand):
                engine.stopped.set()
                continue
            if isinstance(command, commands.AskCommand):
                engine.stopped.clear()
            inbox.put(line)
        if options.mode != "stubborn":
            os._exit(0)  # the end of the input ends an engine in any phase

    if options.mode == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    engine = FakeEngine(options)
    threading.Thread(target=read, daemon=True).start()
    while True:
        command = commands.decode(inbox.get())
        if isinstance(command, commands.ExitCommand) and options.mode != "stubborn":
            return
        engine.answer(command)


if __name__ == "__main__":
    main()
