"""How many rounds the window says there are, of runs whose number of rounds is not known ahead."""

from app.event_words import line
from app.measured import rounds_planned
from core import events
from core.results import Results
from core.statistics import MIN_ROUNDS_UNTIL
from tests.core import build
from tests.core.test_turns import sequence
from tests.core.test_until import NOISE, results


def test_rounds_follow_from_the_width_until_the_run_is_over():
    assert rounds_planned(Results()) == 0
    assert rounds_planned(results(NOISE[:2])) == 4  # as asked for
    assert rounds_planned(results(NOISE[:2], until_pct=1)) == MIN_ROUNDS_UNTIL  # too early to tell: the fewest
    assert rounds_planned(results(NOISE[:8], until_pct=1)) > 12
    found = results(NOISE[:12], until_pct=2)
    found.add(events.Finished(status="ok", rounds=12, reason="precise"))
    assert rounds_planned(found) == 12


def test_the_second_pass_of_a_baseline_is_never_beyond_the_last_round():
    found = sequence(1.0)
    assert rounds_planned(found) == 12  # six, and six again


def test_the_log_says_how_engines_take_turns_and_what_a_run_goes_on_for():
    assert line(events.Turns(mode="reload", why="no room")) == ("warning", "Engines take turns: no room")
    assert line(build.started(["a", "b"], 4, until_pct=2.5)) == ("info", "Run started: until ±2.5 %, at most 4 rounds")
    assert line(build.started(["a", "b"], 4)) == ("info", "Run started: 4 rounds")
