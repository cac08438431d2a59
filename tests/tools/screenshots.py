"""`make screenshots DIR`: drives the real window offscreen through every state, in both themes and both languages, and
writes PNGs. `--language zh_CN` and `--theme dark` leave the others out.

The finished comparison is a real run of the demo model, which `--short` leaves out, and which is opened again for the
other language; the states that are over in a moment are held still by the engine without a model. Quality and roofline
are also shown from an invented run, as `tests.app.streams` makes it, since the pictures should hold every part.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # pictures need no speed, and threads that wait for each other
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # are ten times slower beside a busy neighbour

from PySide6.QtCore import QCoreApplication, QEvent, QItemSelectionModel, QPoint
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QWidget

from app.base.language import CODES, language
from app.base.theme import theme
from app.editor.strategy_editor import SlotRow
from app.editor.sweep_dialog import SweepDialog
from app.files.hub_cache_dialog import HubDialog
from app.inspector.environment_dialog import EnvironmentDialog
from app.loadtest.load_sweep_dialog import LoadSweepDialog
from app.presets.preset_dialog import PresetDialog
from app.prompts.prompts_dialog import PromptsDialog
from app.quality.quality_view import QualityView
from app.run.queue_dialog import QueueDialog
from app.run.run_actions import MoreRoundsDialog
from app.session.session import Session
from app.session.shown_results import Shown
from app.settings.settings import Settings
from app.settings.settings_dialog import SettingsDialog
from app.shell.main_window import MainWindow
from app.timeline.timeline_view import TimelineView
from app.tryit.try_view import TryView
from app.widgets.dropdown_field import Panel
from core.model.finder import resolve
from core.model.source import ModelSource
from core.presets import preset, preset_library
from core.protocol import events
from core.protocol.engine_pool import EnginePool
from core.results.journal import Journal, open_results
from core.run.interrupted_runs import Interrupted
from core.spec import demo_experiment
from core.spec.experiment import QualitySettings
from tests.app.streams import Stream

FAKE = [sys.executable, str(Path(__file__).parents[1] / "fake_engine.py")]
SIZE, SMALLEST = (1440, 900), (1120, 720)
SELECT = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
LONG = 1200  # seconds: the first real run converts the model


class Camera:
    """One window over one engine command; `take` paints and saves it."""

    def __init__(self, application: QApplication, out: Path, name: str, command: list[str] | None) -> None:
        self.application, self.out, self.name = application, out, name
        self.session = Session(EnginePool(command))
        settings = Settings()
        settings.forget_layout(("geometry", "state"))
        self.window = MainWindow(self.session, settings)
        self.window.resize(*SIZE)
        self.window.show()
        self.application.processEvents()

    def until(self, reached: Callable[[], bool], seconds: float = 300) -> None:
        end = time.monotonic() + seconds
        while not reached():
            if time.monotonic() > end:
                raise TimeoutError(f"{self.name}: the state was not reached within {seconds:g} s")
            self.application.processEvents()
            time.sleep(0.01)

    def settle(self) -> None:
        """Run the event loop until layout and painting are done: one pass posts the next."""
        self.session.tick.emit()
        for _ in range(8):
            self.application.processEvents()
            time.sleep(0.01)

    def take(self, state: str) -> None:
        self.settle()
        path = self.out / f"{state}-{self.name}.png"
        self.window.grab().save(str(path))
        print(path)

    def take_popup(self, state: str, combo: QComboBox) -> None:
        """Save the window with an open list, which is a window of its own and is painted in."""
        combo.showPopup()
        self.settle()
        popup = combo.view().window()
        picture = self.window.grab()
        with QPainter(picture) as painter:
            painter.drawPixmap(self.window.mapFromGlobal(popup.mapToGlobal(QPoint(0, 0))), popup.grab())
        combo.hidePopup()
        path = self.out / f"{state}-{self.name}.png"
        picture.save(str(path))
        print(path)

    def take_over(self, state: str, over: QWidget) -> None:
        """Save the window with another one painted over it."""
        self.settle()
        picture = self.window.grab()
        with QPainter(picture) as painter:
            painter.drawPixmap(self.window.mapFromGlobal(over.mapToGlobal(QPoint(0, 0))), over.grab())
        path = self.out / f"{state}-{self.name}.png"
        picture.save(str(path))
        print(path)

    def take_panel(self, state: str, field: QAbstractButton, panel: Panel) -> None:
        """Save the window with an open panel of a field or button."""
        field.click()
        self.settle()
        picture = self.window.grab()
        with QPainter(picture) as painter:
            painter.drawPixmap(self.window.mapFromGlobal(panel.mapToGlobal(QPoint(0, 0))), panel.grab())
        panel.close()
        path = self.out / f"{state}-{self.name}.png"
        picture.save(str(path))
        print(path)

    def close(self) -> None:
        self.session.cancel()
        self.until(lambda: not self.session.running)
        self.window.close()
        self.session.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def trials(session: Session) -> int:
    return sum(len(v.trials) for v in session.results.variants.values()) if session.results else 0


def phase(session: Session, name: str) -> bool:
    return bool(session.results) and any(v.phase == name for v in session.results.variants.values())


def main(out: Path, real: bool = True, codes: Sequence[str] = CODES, modes: Sequence[str] = ("light", "dark")) -> None:
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        os.environ["DYNO_DATA"] = data
        measured: Path | None = None
        for code, mode in itertools.product(codes, modes):
            name = mode if code == "en" else f"{mode}-{code[:2]}"
            language.apply(application, code)
            theme.apply(application, mode)
            _short_states(application, out, name)
            _stopping(application, out, name)
            _trying(application, out, name)
            _judging(application, out, name)
            _paused(application, out, name)
            _invented(application, out, name, Path(data) / f"invented-{name}")
            _around(application, out, name, Path(data) / f"invented-{name}" / "whole")
            if real and (code == codes[0] or measured is None):
                measured = _real_run(application, out, name)
            elif real and measured is not None:
                _opened_again(application, out, name, measured)


def _short_states(application: QApplication, out: Path, name: str) -> None:
    camera = Camera(application, out, name, [*FAKE, "slow"])
    session = camera.session
    camera.until(lambda: session.environment is not None, 30)
    camera.take("01-first-start")
    session.open_demo()
    session.select("int4 weights")
    camera.take("02-demo-opened")
    session.set_excluded("int8 weights", True)
    camera.take("03-excluded-variant")
    quantization = next(r for r in camera.window.findChildren(SlotRow) if r.slot == "quantization")
    camera.take_popup("04-disabled-choice", quantization.combo)  # the stand-in engine has no bitsandbytes
    session.undo()
    session.run()
    camera.until(lambda: phase(session, "load"))
    camera.take("05-loading")
    camera.close()

    camera = Camera(application, out, name, [*FAKE, "runs_out_of_memory", "--at", "warm", "--only", "int8 weights"])
    session = camera.session
    session.open_demo()
    session.run()
    camera.until(lambda: not session.running)
    session.select("int8 weights")
    camera.window.centre.show_view("compare")
    camera.take("06-failed-variant")
    camera.close()


def _stopping(application: QApplication, out: Path, name: str) -> None:
    """Save a run of the stand-in engine that is stopped, cancelled, and opened again; in the smallest window too."""
    camera = Camera(application, out, name, [*FAKE, "normal", "--pace", "40", "--load-s", "0.4"])
    session = camera.session
    session.open_demo()
    session.run()
    camera.until(lambda: phase(session, "warmup"))
    camera.take("07-warm-up")
    camera.until(lambda: trials(session) >= 4 and phase(session, "trial"))
    camera.window.menus.pause_live.trigger()
    camera.take("39-live-paused")
    camera.window.menus.pause_live.trigger()
    session.stop_after_round()
    camera.take("08-stopping")
    session.cancel()
    camera.until(lambda: not session.running)
    camera.take("09-cancelled")
    assert session.results_folder is not None
    session.open_results(session.results_folder)
    camera.window.centre.show_view("live")
    camera.take("10-opened-run")
    camera.window.resize(*SMALLEST)
    camera.take("11-smallest-window")
    camera.close()


def _trying(application: QApplication, out: Path, name: str) -> None:
    """Save a try-out while it is answered and afterwards, and the prompts of a workload."""
    camera = Camera(application, out, name, [*FAKE, "normal", "--pace", "30"])
    session, centre = camera.session, camera.window.centre
    camera.until(lambda: session.environment is not None, 30)
    session.open_demo()
    centre.show_view("try", by_user=True)
    camera.take("30-try-it")
    view = centre.views["try"]
    assert isinstance(view, TryView)
    view.picker.fill()
    view.prompt.setPlainText(view.picker.texts[2])
    view.ask()
    camera.until(lambda: session.trying.attempts["int8 weights"].tokens > 12)
    camera.take("31-answering")
    camera.until(lambda: not session.trying.running)
    camera.take("32-answered")
    camera.window.resize(*SMALLEST)
    camera.take("33-answered-smallest")
    camera.window.doing.prompts.show()
    dialog = camera.window.findChild(PromptsDialog)
    assert isinstance(dialog, PromptsDialog)
    camera.until(lambda: not session.shelf.counting, 30)
    camera.settle()
    path = out / f"34-prompts-{name}.png"
    dialog.grab().save(str(path))
    print(path)
    dialog.close()
    camera.close()


def _judging(application: QApplication, out: Path, name: str) -> None:
    """Save a run of the stand-in engine while quality is being judged."""
    camera = Camera(application, out, name, [*FAKE, "normal", "--pace", "12"])
    session = camera.session
    camera.until(lambda: session.environment is not None, 30)
    experiment = demo_experiment.experiment()
    short = experiment.workload.model_copy(update={"trials": 2, "new_tokens": 16})
    session.edit(experiment.model_copy(update={"workload": short, "quality": QualitySettings()}))
    session.run()
    camera.until(lambda: phase(session, "quality") and session.results.variants["int8 weights"].quality is not None)
    camera.take("28-judging-live")
    camera.window.centre.show_view("quality", by_user=True)
    camera.take("29-judging-quality")
    camera.close()


def _paused(application: QApplication, out: Path, name: str) -> None:
    """Save a paused run of the stand-in engine, and the dialogs of runs."""
    camera = Camera(application, out, name, [*FAKE, "normal", "--pace", "12"])
    session, runs = camera.session, camera.window.doing.runs
    camera.until(lambda: session.environment is not None, 30)
    session.open_demo()
    session.select("int4 weights")
    runs.enqueue.trigger()
    session.run()
    camera.until(lambda: session.measuring and trials(session) >= 4)
    session.pause()
    camera.until(lambda: session.results is not None and session.results.paused)
    camera.take("50-paused")
    session.cancel()
    camera.until(lambda: not session.running)
    runs.more.trigger()
    runs.show_queue.trigger()
    camera.window.variants.variant_actions.sweep.trigger()
    runs.sweep.trigger()
    camera.window.files.open_hub()
    for state, kind in (
        ("51-more-rounds", MoreRoundsDialog), ("52-queue", QueueDialog), ("53-sweep", SweepDialog),
        ("54-hub-cache", HubDialog), ("55-load-sweep", LoadSweepDialog),
    ):  # fmt: skip
        dialog = camera.window.findChild(kind)
        assert isinstance(dialog, QDialog)
        camera.settle()
        dialog.grab().save(str(out / f"{state}-{name}.png"))
        dialog.reject()
    camera.close()


def _around(application: QApplication, out: Path, name: str, folder: Path) -> None:
    """Save what surrounds the views: palette, settings, documentation, environment, presets, tour, docks on other
    sides."""
    camera = Camera(application, out, name, [*FAKE, "normal"])
    session, window = camera.session, camera.window
    camera.until(lambda: session.environment is not None, 30)
    session.open_results(folder)
    doing = window.doing
    doing.find_command()
    assert doing.palette is not None
    doing.palette.line.setText("export")
    camera.take_over("60-palette", doing.palette)
    doing.palette.close()
    doing.help.show_tour()
    camera.take("61-tour")
    assert doing.help.tour is not None
    doing.help.tour.end()
    assert session.results is not None
    evidence = preset.from_results(session.results, "int8 weights", note="measured on a quiet evening", tags=["ci"])
    preset_library.save(evidence)
    doing.open_settings()
    doing.help.show_environment()
    doing.presets.load_preset()
    kinds: dict[str, type[QDialog]] = {
        "62-settings": SettingsDialog,
        "63-environment": EnvironmentDialog,
        "64-presets": PresetDialog,
    }
    for state, kind in kinds.items():
        dialog = window.findChild(kind)
        assert dialog is not None
        camera.take_over(state, dialog)
        dialog.reject()
    doing.help.show_entry("strategy:quantization.int4_weight_only")
    assert doing.help.help is not None
    camera.take_over("65-help", doing.help.help)
    doing.help.show_page("reading")
    camera.take_over("67-guide", doing.help.help)
    doing.help.help.reject()
    window.swap_docks()
    camera.take("66-docks-swapped")
    window.reset_layout()
    camera.close()


def _invented(application: QApplication, out: Path, name: str, folder: Path) -> None:
    """Save an invented run with all parts, opened as a journal, and the tabs without it."""
    journals = {}
    for state, stream in {"plain": Stream(rounds=5), "whole": Stream(rounds=8, quality=True, roof=True)}.items():
        journals[state] = folder / state
        journal = Journal(journals[state])
        for event in stream:
            journal.write(event)
        journal.close()
    camera = Camera(application, out, name, [*FAKE, "normal"])
    session, centre = camera.session, camera.window.centre
    camera.until(lambda: session.environment is not None, 30)
    session.open_demo()
    session.open_results(journals["plain"])
    centre.show_view("quality")
    camera.take("16-quality-not-checked")
    centre.show_view("roofline")
    camera.take("17-roof-not-measured")
    session.open_results(journals["whole"])
    session.select("int4 weights")
    for state, view in (
        ("18-quality", "quality"),
        ("19-roofline", "roofline"),
        ("20-speed-and-quality", "compare"),
        ("30-timeline", "timeline"),
    ):
        centre.show_view(view)
        camera.take(state)
    timeline = centre.views["timeline"]
    assert isinstance(timeline, TimelineView)
    timeline.page.setCurrentIndex(timeline.page.findData("memory"))
    centre.show_view("timeline")
    camera.take("31-memory-timeline")
    _compared(camera, journals["plain"])
    _not_as_it_stands(camera, journals["plain"], folder / "other.gguf")
    centre.show_view("quality")
    quality = centre.views["quality"]
    assert isinstance(quality, QualityView)
    camera.settle()
    camera.take_panel("27-limits", quality.limits.edit, quality.limits.panel)
    protocol = camera.window.top_bar.protocol
    assert protocol.panel is not None
    camera.take_panel("21-protocol", protocol, protocol.panel)
    camera.window.resize(*SMALLEST)
    centre.show_view("quality")
    camera.take("22-quality-smallest")
    centre.show_view("roofline")
    camera.take("23-roofline-smallest")
    centre.show_view("compare")
    camera.take("24-compare-smallest")
    camera.close()


def _compared(camera: Camera, other: Path) -> None:
    """Save the comparison by another measure, of two selected rows, beside another run, and its trials."""
    view = camera.window.centre.views["compare"]
    camera.window.centre.show_view("compare")
    view.looking.set_measure("ttft")
    view.table.selectionModel().select(view.model.index(1, 0), SELECT)
    camera.take("36-compared-by-ttft")
    view.looking.set_measure("speed")
    view.charts.of_bars.set_measure("ttft")
    view.beside.add(other)
    camera.until(lambda: len(view.runs) > 1, 30)
    camera.take("37-beside-another-run")
    assert view.session.results is not None
    view.looking.leave_out(view.session.results, ("int4 weights", 2))
    view.bar.trials.setChecked(True)
    camera.take("38-trials")
    view.bar.trials.setChecked(False)
    view.looking.take_all_back()
    view.charts.of_bars.set_measure("peak_memory")
    view.beside.remove(view.runs[1].results)


def _not_as_it_stands(camera: Camera, plain: Path, other: Path) -> None:
    """Save results of edited settings, of another model, of a verification, and an interrupted run."""
    session, window = camera.session, camera.window
    window.centre.show_view("compare")
    variant = session.variant("int8 weights")
    assert variant is not None
    session.edit_variant("int8 weights", variant.model_copy(update={"quantization": None}))
    camera.take("70-edited-since")
    session.undo()
    other.unlink(missing_ok=True)
    other.symlink_to(resolve(ModelSource()).path)
    session.open_model(ModelSource(source=str(other)))
    camera.take("71-another-model")
    session.undo()
    guest = window.doing.presets.work.tr('Verification of the preset "{name}"').format(name="int4 weights")
    session.back(Shown(open_results(plain), plain, None, guest))
    camera.take("72-verification")
    session.back(session.former[0])
    window.interrupted.runs = [
        Interrupted(Path("1"), 1, "2026-11-30T14:00:00+00:00", ModelSource(), variants=3, rounds=3, planned=5)
    ]
    window.interrupted.refresh()
    camera.take("73-interrupted")
    window.interrupted.runs = []
    window.interrupted.refresh()


def _real_run(application: QApplication, out: Path, name: str) -> Path | None:
    """Measure the demo model and return the folder of its results."""
    camera = Camera(application, out, name, None)
    session = camera.session
    session.edit(demo_experiment.experiment())
    session.set_quality(QualitySettings(tokens=1024, window=64, prompts=4, suite="none"))
    camera.until(lambda: session.environment is not None, 60)
    session.run()
    camera.until(lambda: trials(session) >= 7 and phase(session, "trial"), LONG)
    camera.take("12-measuring")
    camera.until(lambda: not session.running, LONG)
    assert session.results is not None
    assert isinstance(session.results.finished, events.Finished)
    _finished(camera)
    return session.results_folder


def _opened_again(application: QApplication, out: Path, name: str, folder: Path) -> None:
    camera = Camera(application, out, name, [*FAKE, "normal"])
    camera.until(lambda: camera.session.environment is not None, 30)
    camera.session.open_results(folder)
    _finished(camera)


def _finished(camera: Camera) -> None:
    """Save the views of a finished real run."""
    camera.session.select("int4 weights")
    camera.window.centre.show_view("compare")
    camera.take("13-finished")
    for state, view in (
        ("14-receipts", "receipts"), ("15-log", "log"), ("25-real-quality", "quality"),
        ("26-real-roofline", "roofline"),
    ):  # fmt: skip
        camera.window.centre.show_view(view)
        camera.take(state)
    camera.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("out", nargs="?", type=Path, default=Path("build/screenshots"))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--language", choices=CODES, action="append")
    parser.add_argument("--theme", choices=("light", "dark"), action="append")
    asked = parser.parse_args()
    main(asked.out, not asked.short, asked.language or CODES, asked.theme or ("light", "dark"))
