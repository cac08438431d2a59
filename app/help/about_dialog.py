"""The About dialog: versions, file locations, licences."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import qVersion
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.base.theme import RESOURCES, theme
from app.session.session import Session
from app.widgets.basics import heading, label
from app.widgets.dialog import Dialog
from app.widgets.fact_list import Facts
from core import __version__
from core.base.folders import cache_folder, data_folder

PACKAGES = ("PySide6-Essentials", "pyqtgraph", "numpy", "pydantic")
OF_ENGINES = ("torch", "transformers")


def licences() -> str:
    """Return the licence notices of Dyno, its fonts and the demo model."""
    texts = []
    for folder in (RESOURCES.parent, RESOURCES.parent / "licenses" / "dyno"):
        texts += [(folder / name).read_text("utf-8") for name in ("NOTICE", "LICENSE") if (folder / name).is_file()]
    try:
        listed = metadata.distribution("dyno").files or []
        found = [Path(str(f.locate())) for f in listed if f.name in ("NOTICE", "LICENSE")]
        texts = texts or [path.read_text("utf-8") for path in found if path.is_file()]
    except metadata.PackageNotFoundError:
        pass
    texts += [path.read_text("utf-8") for path in sorted((RESOURCES / "fonts").glob("OFL-*.txt"))]
    return "\n\n".join(texts)


class AboutDialog(Dialog):
    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Dyno", parent, 560)
        for text in (
            self.tr("Version {version}. A dynamometer for language-model inference.").format(version=__version__),
            self.tr("It runs variants of one model side by side, and tells which differences are real."),
        ):
            self.body.addWidget(label(text, 13, role="secondary", wrap=True))
        facts = Facts()
        versions = [(name, _version(name)) for name in PACKAGES]
        environment = session.environment
        engine = environment.versions if environment is not None else {}
        facts.set(
            [
                ("Python", platform.python_version()),
                ("Qt", qVersion() or "—"),
                *versions,
                *((self.tr("{name} of the engine").format(name=n), engine.get(n, "—")) for n in OF_ENGINES),
                (self.tr("Results and presets"), str(data_folder())),
                (self.tr("Caches"), str(cache_folder())),
            ]
        )
        self.body.addWidget(facts)
        self.body.addWidget(heading(self.tr("Licences")))
        self.body.addWidget(
            label(
                self.tr("Apache-2.0. Type: Inter and JetBrains Mono, SIL Open Font License. Qt: LGPL 3.0."),
                12,
                wrap=True,
            )
        )
        whole = QPlainTextEdit(licences())
        whole.setReadOnly(True)
        whole.setFont(theme.font(11, mono=True))
        whole.setProperty("look", "boxed")
        whole.setMinimumHeight(180)
        whole.setAccessibleName(self.tr("Licences"))
        self.body.addWidget(whole, 1)
        self.add_buttons(self.tr("Close"), "")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "—"
