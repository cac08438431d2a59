"""The schedule of a run in one strip: load, warm-up, rounds in their random order, quality. `blocks` computes the
blocks; the widget paints them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from app.base.theme import theme
from app.charts.chart_data import ChartData, Keys
from app.charts.painted_chart import PaintedChart
from app.session.comparison_cache import trial_tokens
from app.session.session import Session
from core.results.results import Results, VariantState
from core.run.continuation import rounds_begun

State = Literal["done", "now", "to come", "failed", "left out", "interrupted"]
CUT = "×"
LOADING = ("start", "convert", "load", "transform")
GROUP_GAP, GAP, WIDEST, LETTERED = 12.0, 2.0, 16.0, 11.0


@dataclass(frozen=True)
class Block:
    """One piece of work. `group` is "load", "warm-up", "quality", the number of the round from 1, or "×" for an
    interrupted round."""

    group: str
    variant: str
    state: State
    share: float = 0.0  # done, of a block that is `now`
    round: int | None = None

    @property
    def step(self) -> tuple[str, str, int | None]:
        """The block's identity, regardless of its progress."""
        return self.variant, self.group, self.round


def blocks(results: Results | None, rounds: int | None = None) -> list[list[Block]]:
    """Return the groups of the strip in order; for a stopping run, up to `rounds`. A finished run has no pending
    blocks."""
    if results is None or results.started is None or results.experiment is None:
        return []
    states = list(results.variants.values())
    over = results.finished is not None or results.interrupted
    groups = [
        [Block("load", s.name, _state(s, s.loaded is not None, s.phase in LOADING)) for s in states],
        [Block("warm-up", s.name, _state(s, s.warm is not None, s.phase == "warmup")) for s in states],
    ]
    wanted = trial_tokens(results.experiment.workload)
    for number, order in enumerate(results.schedule):
        group = []
        for name in order:
            state = results.variants.get(name)
            if state is None:
                continue
            finished = any(t.round == number for t in state.trials)
            if state.failed is not None and not finished and number > _failed_in(state):
                continue  # it takes no part in the rounds after its failure
            now = state.phase == "trial" and state.round == number
            share = min(1.0, state.tokens / wanted) if now else 0.0
            word = "left out" if rounds is not None and number >= rounds else _state(state, finished, now)
            if number in results.cut_off and word == "to come":
                word = "interrupted"
            group.append(Block(str(results.round_number(number) or CUT), name, word, share, number))
        groups.append(group)
    if results.experiment.quality is not None:
        groups.append([_judged(s) for s in states])
        if rounds is not None:  # a run that stops judges nothing
            groups[-1] = [_left_out(b) for b in groups[-1]]
    if over:
        groups = [[_left_out(b) for b in group] for group in groups]
    return groups


def _judged(state: VariantState) -> Block:
    """Return the block of the quality phase."""
    share = state.progress.done / state.progress.total if state.progress and state.progress.total else 0.0
    if state.quality_failed is not None or (state.failed is not None and state.quality is None):
        return Block("quality", state.name, "failed")
    if state.phase == "quality":
        return Block("quality", state.name, "now", min(1.0, share))
    if state.quality is not None:
        return Block("quality", state.name, "done")
    return Block("quality", state.name, "to come")


def _left_out(block: Block) -> Block:
    return block if block.state in ("done", "failed", "interrupted") else replace(block, state="left out", share=0.0)


def _failed_in(state: VariantState) -> int:
    """Return the round in which a variant failed; −1 before the first."""
    return state.round if state.phase == "trial" and state.round is not None else len(state.trials) - 1


def _state(state: VariantState, done: bool, now: bool) -> State:
    if done:
        return "done"
    if state.failed is not None:
        return "failed"
    return "now" if now else "to come"


def _title_room(group: list[Block]) -> float:
    return {"load": 24.0, "quality": 40.0}.get(group[0].group, 52.0)


class ScheduleStrip(PaintedChart):
    """Paints the groups; a click on a block, or the arrows and Enter, ask to look at it."""

    block_clicked = Signal(Block)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._groups: list[list[Block]] = []
        self._places: list[tuple[QRectF, Block]] = []
        self._chosen = 0  # place of the block that the arrows are at
        self._looked_at: Block | None = None  # the block that the charts show
        self.setFixedHeight(44)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Schedule of the run"))

    def refresh(self) -> None:
        """Read the results; repaint only after a change."""
        results, stops = self._session.results, self._session.stopping
        groups = blocks(results, rounds_begun(results) if stops and results is not None else None)
        if groups != self._groups:
            self._groups = groups
            self.setAccessibleDescription(self.sentence())
            self._lay_out()
            self.update()

    def mark(self, block: Block | None) -> None:
        """Frame the block that the charts show; None while they follow the run."""
        if block != self._looked_at:
            self._looked_at = block
            self.update()

    @property
    def marked(self) -> Block | None:
        """The framed block; None without one, or if it does not fit."""
        sought = self._looked_at
        found = (b for _, b in self._places if sought is not None and b.step == sought.step)
        return next(found, None)

    def where(self, block: Block) -> str:
        """Return a block's variant and step: "int4 weights, round 3"."""
        return f"{block.variant}, {self._group_words(block)}"

    @property
    def has_blocks(self) -> bool:
        return bool(self._groups)

    def sentence(self) -> str:
        """Return the strip's content for a screen reader: the active group, and the count."""
        flat = [b for g in self._groups for b in g]
        done = sum(b.state == "done" for b in flat)
        parts = [self.tr("{done} of {all} steps done").format(done=done, all=len(flat))]
        for group in self._groups:
            if any(b.state == "now" for b in group):
                parts.append(self._group_words(group[0]) + ": " + ", ".join(self._words(b) for b in group))
        failed = sorted({b.variant for b in flat if b.state == "failed"})
        if failed:
            parts.append(self.tr("failed: {names}").format(names=", ".join(failed)))
        return "; ".join(parts)

    def _group_words(self, block: Block) -> str:
        if block.group == CUT:
            return self.tr("a round that was interrupted")
        if block.round is not None:
            return self.tr("round {n}").format(n=block.group)
        names = {"load": self.tr("load"), "warm-up": self.tr("warm-up"), "quality": self.tr("quality")}
        return names[block.group]

    def _state_words(self, block: Block) -> str:
        return {
            "done": self.tr("done"),
            "now": self.tr("now"),
            "to come": self.tr("to come"),
            "failed": self.tr("failed"),
            "left out": self.tr("left out"),
            "interrupted": self.tr("interrupted"),
        }[block.state]

    def _words(self, block: Block) -> str:
        return f"{theme.letter(self._session.index_of(block.variant))} {self._state_words(block)}"

    def tip(self, block: Block) -> str:
        """Return a block's tooltip."""
        return f"{self.where(block)}: {self._state_words(block)}"

    def chart_keys(self) -> Keys:
        names = dict.fromkeys(b.variant for g in self._groups for b in g)
        return [(self._session.index_of(name), name) for name in names]

    def chart_data(self) -> ChartData:
        """Return all steps in order, also those that do not fit."""
        rows = ((self._group_words(b), b.variant, self._state_words(b)) for g in self._groups for b in g)
        return ChartData.of_rows((self.tr("step"), self.tr("variant"), self.tr("state")), rows)

    # -- layout and paint ---------------------------------------------------------------------------------
    def _lay_out(self) -> None:
        """Shrink blocks until all rounds fit; below their minimum width, show the rounds near the present one."""
        self._places = []
        groups = self._groups
        if not groups or not groups[0]:
            return
        per = len(groups[0])
        ahead = [g for g in groups if g and g[0].round is None and g[0].group != "quality"]
        after = [g for g in groups if g and g[0].group == "quality"]
        rounds = [g for g in groups if g and g[0].round is not None]
        room = self.width() - 4.0 - sum(max(_title_room(g), (9 + GAP) * len(g)) + GROUP_GAP for g in (*ahead, *after))
        fit = max(1, int(room / (per * (2 + GAP) + 4)))
        if len(rounds) > fit:
            present = max((i for i, g in enumerate(rounds) if any(b.state == "done" for b in g)), default=0)
            first = max(0, min(present - fit // 2, len(rounds) - fit))
            rounds = rounds[first : first + fit]
        gaps = GROUP_GAP if len(rounds) < 24 else 4.0
        big = max(1, sum(len(g) for g in rounds))
        width = max(2.0, min(WIDEST, (room - gaps * len(rounds)) / big - GAP))
        groups = [*ahead, *rounds, *after]
        x = 3.0  # the outline of the first block needs room
        for group in groups:
            each = 9.0 if group and group[0].round is None else width
            for block in group:
                self._places.append((QRectF(x, 20, each, 19), block))
                x += each + GAP
            if group and group[0].round is None:
                x = max(x, self._places[-len(group)][0].left() + _title_room(group)) + GROUP_GAP
            else:
                x += gaps

    def resizeEvent(self, event) -> None:
        self._lay_out()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        titled = -100.0
        heads = [i for i, (_, b) in enumerate(self._places) if i == 0 or self._places[i - 1][1].group != b.group]
        for at, start in enumerate(heads):
            end = heads[at + 1] if at + 1 < len(heads) else len(self._places)
            group = self._places[start:end]
            left, right = group[0][0].left(), group[-1][0].right()
            now = any(b.state == "now" for _, b in group)
            if left > titled + 4 or now:
                first = group[0][1]
                title = self._group_words(first) if first.round is None else first.group
                painter.setFont(theme.font(11, 600 if now else 400))
                painter.setPen(theme.color("text" if now else "text3"))
                wide = painter.fontMetrics().horizontalAdvance(title)
                middle = left if group[0][1].round is None else (left + right - wide) / 2
                painter.drawText(QRectF(middle, 0, wide + 2, 16), Qt.AlignmentFlag.AlignLeft, title)
                titled = middle + wide
        for rect, block in self._places:
            self._paint_block(painter, rect, block)
        marked = self.marked
        if marked is not None:
            rect = next(r for r, b in self._places if b is marked)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(rect.adjusted(-2, -2, 2, 2), 4, 4)
        if self.hasFocus() and self._chosen < len(self._places):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(self._places[self._chosen][0].adjusted(-2, -2, 2, 2), 4, 4)

    def _paint_block(self, painter: QPainter, rect: QRectF, block: Block) -> None:
        index = self._session.index_of(block.variant)
        full, tint = theme.variant(index), theme.variant(index)
        tint.setAlphaF(0.16)
        if block.state == "left out":  # only an outline remains of it
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("line2"), 1, Qt.PenStyle.DotLine))
            painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5))
            return
        painter.setPen(Qt.PenStyle.NoPen)
        radius = min(3.0, rect.width() / 4)
        painter.setBrush(full if block.state == "done" else tint)
        if block.state == "failed":
            painter.setBrush(theme.color("errbg"))
        painter.drawRoundedRect(rect, radius, radius)
        if block.state == "now":
            part = QRectF(rect)
            part.setWidth(rect.width() * block.share)
            painter.setBrush(full)
            painter.drawRoundedRect(part, radius, radius)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("text"), 1.5))
            painter.drawRoundedRect(rect.adjusted(-1.5, -1.5, 1.5, 1.5), radius + 1.5, radius + 1.5)
        elif block.state in ("failed", "interrupted"):
            painter.setPen(QPen(theme.color("err" if block.state == "failed" else "text2"), 1.3))
            cross = rect.adjusted(rect.width() * 0.25, 6, -rect.width() * 0.25, -6)
            painter.drawLine(cross.topLeft(), cross.bottomRight())
            painter.drawLine(cross.topRight(), cross.bottomLeft())
        if rect.width() >= LETTERED and block.state not in ("failed", "interrupted"):
            filled = block.state == "done" or block.share > 0.6
            painter.setPen(theme.badge_text(index) if filled else theme.color("text2"))
            painter.setFont(theme.font(10, 600))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, theme.letter(index))

    def _at(self, position) -> Block | None:
        return next((b for r, b in self._places if r.adjusted(-1, -4, 1, 4).contains(position)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._look_at(self._at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is not None and self._places:
            self._chosen = max(0, min(self._chosen + step, len(self._places) - 1))
            self.setAccessibleDescription(self.tip(self._places[self._chosen][1]))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen < len(self._places):
            self._look_at(self._places[self._chosen][1])
        else:
            super().keyPressEvent(event)

    def _look_at(self, block: Block | None) -> None:
        if block is not None:
            self.block_clicked.emit(block)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            block = self._at(event.pos().toPointF())
            if block is not None:
                QToolTip.showText(event.globalPos(), self.tip(block), self)
                return True
        return super().event(event)
