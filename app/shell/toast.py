"""A temporary message over the foot of the view, so that nothing moves when it comes or goes: what was done, and where
a written file is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.base.core_text import stated
from app.widgets.basics import IconLabel, label
from app.widgets.buttons import button

SHOWN_MS = 8000
WIDEST, SIDE, FOOT = 620, 16, 20  # px: its width, and its distance from the sides and the foot of the view


class Toast(QFrame):
    """One message at a time; it stays while the pointer is on it."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over, self._path = over, Path()
        self.setProperty("surface", "popup")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = label("", 13, wrap=True)
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folder = button(self.tr("Show in folder"), "folder")
        self.folder.setWhatsThis(self.tr("Opens the folder of the file in the system's file manager."))
        self.folder.clicked.connect(self._show_folder)
        self.copy = button(self.tr("Copy path"), "copy", "flat")
        self.copy.setWhatsThis(self.tr("Copies the path of the file as text."))
        self.copy.clicked.connect(self._copy)
        close = button("", "cross", "flat")
        close.setAccessibleName(self.tr("Dismiss"))
        close.setWhatsThis(self.tr("Hides the message at once; it goes by itself too."))
        close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(IconLabel("check", "ok"))
        row.addWidget(self.text, 1)
        row.addWidget(self.folder)
        row.addWidget(self.copy)
        row.addWidget(close)
        self._gone = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._gone.timeout.connect(self.hide)
        over.installEventFilter(self)
        self.hide()

    def say(self, text: str) -> None:
        """Show a message."""
        self.text.setText(text := stated(text))
        self.setAccessibleName(text)
        self.folder.hide()
        self.copy.hide()
        self._place()
        self.show()
        self.raise_()
        self._gone.start()

    @Slot(object)
    def offer_file(self, path: Path) -> None:
        """Offer to show the file that the present message is about."""
        self._path = Path(path)
        self.folder.show()
        self.copy.show()
        self._place()

    @Slot()
    def _show_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.resolve().parent)))

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(str(self._path))

    def _place(self) -> None:
        layout = self.layout()
        assert layout is not None
        layout.activate()
        words = self.text.fontMetrics().horizontalAdvance(self.text.text()) + 2
        needed = layout.totalSizeHint().width() - self.text.sizeHint().width() + words  # on one line
        wide = min(WIDEST, self._over.width() - 2 * SIDE, needed)
        high = max(layout.totalHeightForWidth(wide), layout.totalMinimumSize().height())
        x = (self._over.width() - wide) // 2
        self.setGeometry(x, self._over.height() - high - FOOT, wide, high)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def enterEvent(self, event: QEnterEvent) -> None:
        self._gone.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._gone.start()
        super().leaveEvent(event)
