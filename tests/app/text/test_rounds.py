"""How many rounds the window says there are, of runs whose number of rounds is not known ahead."""

from app.live.round_schedule import blocks
from app.session.comparison_cache import rounds_planned
from app.text.event_text import line
from core.protocol import events
from core.results.journal import open_results
from core.results.ratio_statistics import MIN_ROUNDS_UNTIL
from core.results.results import Results
from core.run import continuation
from tests.core import build
from tests.core.run.test_continuation import run, session, write
from tests.core.run.test_turns import sequence
from tests.core.run.test_until import NOISE, results


def test_rounds_follow_from_the_width_until_the_run_is_over():
    assert rounds_planned(Results()) == 0
    assert rounds_planned(results(NOISE[:2])) == 4  # as asked for
    assert rounds_planned(results(NOISE[:2], until_pct=1)) == MIN_ROUNDS_UNTIL  # too early to tell: the fewest
    assert rounds_planned(results(NOISE[:8], until_pct=1)) > 12
    found = results(NOISE[:12], until_pct=2)
    found.fold(events.Finished(status="ok", rounds=12, reason="precise"))
    assert rounds_planned(found) == 12


def test_the_second_pass_of_a_baseline_is_never_beyond_the_last_round():
    found = sequence(1.0)
    assert rounds_planned(found) == 12  # six, and six again


def test_a_round_that_was_cut_off_is_none_of_those_that_are_counted(tmp_path):
    before = continuation.plan(run(tmp_path, measured=2, cut=1, finished=""), tmp_path)
    going_on = session(before, rounds=3, finished=False)
    write(tmp_path, going_on, goes_on=True)
    found = open_results(tmp_path)
    assert rounds_planned(found) == 5
    found.interrupted = False  # as while it runs
    assert rounds_planned(found) == 5
    strip = {group[0].group: {b.state for b in group} for group in blocks(found)}
    assert strip["×"] == {"done", "interrupted"}
    assert list(strip)[2:] == ["1", "2", "×", "3", "4", "5"]


def test_the_log_says_how_engines_take_turns_and_what_a_run_goes_on_for():
    assert line(events.Turns(mode="reload", why="no room")) == ("warning", "Engines take turns: no room")
    assert line(build.started(["a", "b"], 4, until_pct=2.5)) == ("info", "Run started: until ±2.5 %, at most 4 rounds")
    assert line(build.started(["a", "b"], 4)) == ("info", "Run started: 4 rounds")
