import pytest
from pydantic import ValidationError

from core.analysis import verdict_text as words
from core.analysis.compare import compare
from core.base import formatting
from core.model.receipt import Receipt
from core.protocol import events
from core.results.results import Results
from tests.core import build


def fold(stream, **options) -> Results:
    results = Results("run", **options)
    for event in stream:
        results.fold(event)
    return results


def test_a_run_becomes_a_comparison():
    results = fold(build.run([2.0, 2.02, 1.98, 2.0, 2.0]))
    base, other = compare(results).variants
    assert (base.verdict, base.status, base.trials) == ("baseline", "ok", 5)
    assert base.decode_tok_s == pytest.approx(100)
    assert base.ttft_ms_p50 == 50
    assert (other.verdict, other.rounds_paired, other.interval_method) == ("faster", 5, "t")
    assert other.speed_ratio == pytest.approx(2.0, rel=0.01)
    assert other.speed_ratio_low < 2 < other.speed_ratio_high
    assert (other.load_s, other.warmup_s, other.weights_bytes) == (1.5, 0.5, 1000)


def test_no_verdict_before_round_four():
    row = compare(fold(build.run([2.0, 2.0, 2.01]))).variants[1]
    assert row.verdict == ""
    assert words.ratio(row) == "provisional 2.00×"


def test_a_receipt_that_does_not_match_withholds_the_verdict():
    stream = [
        *list(build.run([2.0] * 5))[:-1],
        build.receipts("b", matches=False),
        events.Finished(status="ok", rounds=5),
    ]
    row = compare(fold(stream)).variants[1]
    assert (row.verdict, row.receipt_ok) == ("withheld", False)


def test_a_variant_that_is_called_exact_and_is_not_has_no_verdict():
    """And the headline says which of the two withheld it."""
    found = Receipt(slot=events.EXACTNESS, requested="the tokens", effective="differs", matches=False)
    stream = [
        *list(build.run([2.0] * 5))[:-1],
        events.Receipts(variant="b", receipts=[*build.receipts("b").receipts, found]),
        events.Finished(status="ok", rounds=5),
    ]
    comparison = compare(fold(stream))
    assert comparison.variants[1].verdict == "withheld"
    assert words.answer(comparison) == "No verdict: what is called exact is not; see Receipts."
    stream[-2] = build.receipts("b", matches=False)
    assert words.answer(compare(fold(stream))).startswith("No verdict: a strategy did not take effect")


def test_a_failed_variant_keeps_its_trials_and_its_reason():
    stream = list(build.run([1.5, 1.5, 1.5, 1.5]))
    stream.insert(-1, events.Failed(variant="b", kind="out_of_memory", message="no room", hint="smaller batch"))
    row = compare(fold(stream)).variants[1]
    assert (row.status, row.error, row.hint, row.trials) == ("out_of_memory", "no room", "smaller batch", 4)
    assert compare(fold(stream)).variants[0].status == "ok"


def test_a_trial_without_its_pair_is_left_out_of_the_ratio():
    stream = [e for e in build.run([1.5, 1.5, 9.0, 1.5, 1.5]) if not (
        isinstance(e, events.TrialDone) and e.variant == "a" and e.round == 2)]  # fmt: skip
    row = compare(fold(stream)).variants[1]
    assert row.rounds_paired == 4
    assert row.speed_ratio == pytest.approx(1.5)


def test_peaks_are_by_phase_and_what_is_unreadable_is_not_available():
    stream = list(build.run([1.0] * 4))
    for phase, size in (("load", 900), ("warmup", 500), ("trial", 600), ("idle", 2000)):
        stream.insert(-1, events.Sample(variant="a", phase=phase, process_bytes=size))
    row = compare(fold(stream)).variants[0]
    assert row.peak_process_bytes == 600
    assert row.load_peak_bytes == 900
    assert row.peak_allocated_bytes is None


def test_a_cancelled_run_says_so():
    stream = [*list(build.run([1.5] * 5))[:-5], events.Finished(status="cancelled", rounds=4)]
    comparison = compare(fold(stream))
    assert comparison.status == "cancelled"
    assert [r.status for r in comparison.variants] == ["ok", "cancelled"]


def test_flags_are_counted_by_kind():
    stream = list(build.run([1.0] * 4, flags=["swap in use", "foreign CPU 48 %"]))
    stream = [e.model_copy(update={"flags": ["foreign CPU 110 %"]}) if getattr(e, "round", 0) == 3 and isinstance(
        e, events.TrialDone) else e for e in stream]  # fmt: skip
    row = compare(fold(stream)).variants[0]
    assert row.flags == "swap in use (3 of 4 trials); foreign CPU 110 % (4 of 4 trials)"


def test_speculation_is_summed_over_trials():
    row = compare(fold(build.run([1.0] * 4, drafted=10, accepted=5, verify_steps=5))).variants[1]
    assert row.acceptance_rate == 0.5
    assert row.mean_accepted_length == 2


@pytest.mark.parametrize(
    ("ratio", "text", "interval"),
    [
        ([2.3, 2.31, 2.32, 2.31], "2.31× faster", "[2.30, 2.32]"),
        ([0.5, 0.5, 0.51, 0.5], "1.99× slower", "[1.96, 2.02]"),
        ([1.0, 1.3, 0.8, 1.0], "≈ not distinguishable", "1.01× [0.74, 1.39]"),
        ([1.0, 1.001, 1.0, 1.0], "within ±3 %", "1.00× [1.00, 1.00]"),
    ],
)
def test_words(ratio, text, interval):
    row = compare(fold(build.run(ratio))).variants[1]
    assert words.ratio(row) == text
    assert words.interval(row) == interval


def test_the_answer_to_one_variant_names_its_rate():
    alone = compare(fold(build.run([2.0] * 4)))
    alone = alone.model_copy(update={"variants": alone.variants[:1]})
    assert words.answer(alone) == "One variant was measured: a (decode tok/s: 100)."


def test_a_trial_in_which_the_process_was_stopped_is_left_out_of_its_round():
    stream = [*build.run([2.0] * 5), *build.trial("a", 5, 10), *build.trial("b", 5, 900, flags=["stopped for 10 s"])]
    found = compare(fold(stream)).variants[1]
    assert (found.trials, found.rounds_paired, found.verdict) == (5, 5, "faster")
    assert found.itl_ms_p50 == 5
    assert found.flags == "stopped for 10 s (1 of 6 trials)"
    three = fold([*build.run([2.0] * 3), *build.trial("a", 3, 10), *build.trial("b", 3, 5, flags=["stopped for 1 s"])])
    assert words.answer(compare(three)) == "No verdict yet: it takes 4 rounds; finished so far: 3."


def test_a_run_that_was_cut_off_in_a_pause_waits_no_more():
    begun = list(build.run([2.0] * 4))[:-1]
    found = fold([*begun, events.Paused()])
    assert found.paused
    found.interrupted = True
    assert not found.paused
    began = begun[0]
    found.fold(
        events.Resumed(
            dyno_version="0", created=began.created, experiment=began.experiment, schedule=began.schedule,
            variants=["a", "b"], first_round=4, rounds=0, first_prompt=4,
        )
    )  # fmt: skip
    assert not found.paused
    found.fold(events.Paused())
    assert found.paused
    found.fold(events.Finished(status="ok", rounds=4))
    assert not found.paused


@pytest.mark.parametrize("rounds", [1, 4])
def test_without_a_decode_rate_noise_is_no_reason(rounds):
    one = compare(fold(build.run([1.0] * rounds, tokens=1)))
    assert words.answer(one) == "With one new token there is no decode rate: compare TTFT and prefill tok/s."


def test_the_answer_never_claims_more_than_the_verdicts():
    assert words.answer(compare(fold(build.run([2.0] * 4)))) == "b is 2.00× faster than a."
    undecided = compare(fold(build.run([1.0, 1.3, 0.8, 1.0])))
    assert words.answer(undecided) == "No difference can be told from the noise of these rounds."
    assert words.answer(compare(fold(build.run([2.0, 2.0])))).startswith("No verdict yet")
    assert "slower" in words.answer(compare(fold(build.run([0.5] * 4))))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "—"),
        (0, "0"),
        (0.001234, "0.00123"),
        (12.345, "12.3"),
        (131.4, "131"),
        (12345.6, "12\u2009346"),
        (-2.5, "−2.50"),
    ],
)
def test_numbers(value, text):
    assert formatting.number(value) == text


def without_steps(stream, name, rounds):
    """The stream of a journal in which the first `Steps` line of some trials was lost."""
    lost = set()
    for event in stream:
        key = (event.variant, getattr(event, "round", None))
        if isinstance(event, events.Steps) and key[0] == name and key[1] in rounds and key not in lost:
            lost.add(key)
            continue
        yield event


def test_a_trial_whose_steps_are_missing_does_not_count():
    whole = compare(fold(build.run([2.0] * 6))).variants[1]
    results = fold(without_steps(build.run([2.0] * 6), "b", {1, 3}))
    row = compare(results).variants[1]
    assert (row.trials, row.rounds_paired, row.status) == (4, 4, "ok")
    assert row.speed_ratio == pytest.approx(whole.speed_ratio)
    assert row.decode_tok_s == pytest.approx(whole.decode_tok_s)
    assert row.verdict == "faster"
    assert row.flags == "steps are missing (2 of 6 trials)"
    assert [t.ok for t in results.variants["b"].trials] == [True, False, True, False, True, True]


def test_a_variant_without_a_whole_trial_has_failed():
    row = compare(fold(without_steps(build.run([2.0] * 4), "b", range(4)))).variants[1]
    assert (row.status, row.trials, row.verdict, row.decode_tok_s) == ("failed", 0, "", None)
    assert row.error == "no trial can be counted: steps are missing"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"tokens": [1, 1, 2, 1]}, "steps are missing"),
        ({"tokens": [0, 1, 1, 1]}, "steps are missing"),
        ({"at_ns": [9, 8, 7, 6]}, "step times are out of order"),
        ({"at_ns": [-5, 1, 2, 3]}, "step times are out of order"),  # before the request arrived
    ],
)
def test_stamps_that_cannot_be_are_left_out(change, fault):
    stream = [
        e.model_copy(update=change) if isinstance(e, events.Steps) and (e.variant, len(e.tokens)) == ("b", 4) else e
        for e in build.run([2.0] * 4)
    ]
    row = compare(fold(stream)).variants[1]
    assert (row.trials, row.status) == (0, "failed")
    assert row.flags.startswith(fault)


def test_a_trial_that_is_told_twice_counts_once():
    stream = [e for e in build.run([2.0] * 4) for _ in range(2 if isinstance(e, events.TrialDone) else 1)]
    comparison = compare(fold(stream))
    row = comparison.variants[1]
    assert (row.trials, row.rounds_paired, row.flags, comparison.rounds) == (4, 4, "", 4)


@pytest.mark.parametrize(
    "change", ['"at_ns": [1], "tokens": [1, 1]', f'"at_ns": [{10**30}], "tokens": [1]', '"at_ns": [1], "tokens": [-1]']
)
def test_steps_that_cannot_be_are_no_event(change):
    with pytest.raises(ValidationError):
        events.decode(f'{{"event": "steps", "round": 0, {change}}}')


@pytest.mark.parametrize("matches", [True, False])
def test_a_model_loaded_again_takes_nothing_back_of_what_trials_proved(matches):
    """Judging quality later loads it anew and decodes nothing: a variant that is not exact gets no verdict by that."""
    quantized = Receipt(slot="quantization", requested="int8", effective="28 of 28 layers", matches=True)
    exact = Receipt(slot=events.EXACTNESS, requested="the tokens", effective="compared", matches=matches)
    stream = [*build.run([1.5] * 4)]
    stream.insert(-1, events.Receipts(variant="b", receipts=[quantized, exact]))
    results = fold([*stream, events.Phase(variant="b", phase="load")])
    fresh = quantized.model_copy(update={"effective": "not used yet"})
    results.fold(events.Receipts(variant="b", receipts=[fresh]))
    state = results.variants["b"]
    assert [r.effective for r in state.receipts] == ["28 of 28 layers", "compared"]
    assert state.receipt_ok is matches
    assert (compare(results).variants[1].verdict == "faster") is matches
    results.fold(events.Receipts(variant="b", receipts=[fresh.model_copy(update={"matches": False})]))
    assert state.receipt_ok is False


def test_a_trial_after_a_load_says_anew_what_took_effect():
    stream = [*build.run([1.5] * 4)]
    results = fold([*stream, events.Phase(variant="b", phase="trial", round=4)])
    new = Receipt(slot="kv_cache", requested="static", effective="0.04 MB", matches=True)
    results.fold(events.Receipts(variant="b", receipts=[new]))
    assert results.variants["b"].receipts == [new]


def test_a_difference_that_one_session_found_stands_in_the_next() -> None:
    def proof(matches: bool) -> events.Receipts:
        words = "24 tokens as the plain decoder" if matches else "differs at token 5"
        exact = Receipt(slot=events.EXACTNESS, requested="the plain decoder's", effective=words, matches=matches)
        return events.Receipts(variant="b", receipts=[*build.receipts("b").receipts, exact])

    found = Results("run")
    for event in build.run([1.5] * 4):
        found.fold(event)
    found.fold(proof(False))
    assert compare(found).variants[1].verdict == "withheld"
    found.fold(events.Phase(variant="b", phase="trial", round=4))
    found.fold(proof(True))
    row = compare(found).variants[1]
    assert (row.verdict, row.receipt_ok) == ("withheld", False)
    assert [r.effective for r in row.receipts if r.slot == events.EXACTNESS] == ["differs at token 5"]
