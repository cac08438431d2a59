import json
import threading
from pathlib import Path

import pytest

from core.machine.environment import Environment
from core.model.source import ModelSource
from core.presets import preset as presets
from core.presets import preset_library
from core.presets.verification import judge
from core.results.results import Results
from core.spec import experiment as spec
from tests.core import build


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(tmp_path))
    monkeypatch.setenv("DYNO_CACHE", str(tmp_path / "cache"))


def results(**workload) -> Results:
    found = Results("run-1")
    for event in build.run([1.5, 1.4, 1.6, 1.5]):
        found.fold(event)
    return found


@pytest.fixture
def preset():
    return presets.from_results(results(), "b")


def row(preset, ratio, **changes):
    return preset.row.model_copy(update={"speed_ratio": ratio, **changes})


# -- one file -----------------------------------------------------------------------------------------------


def test_a_preset_carries_its_evidence(preset):
    path = preset_library.save(preset)
    again = presets.load(path)
    assert again == preset
    assert again.row.speed_ratio == pytest.approx(1.5, rel=0.02)
    assert again.fingerprint == "f" * 64
    assert again.row.receipts
    assert [v.name for v in again.experiment().variants] == ["a", "b"]
    precise = again.model_copy(update={"workload": again.workload.model_copy(update={"until_pct": 2.0})})
    assert (precise.experiment(rounds=9).workload.trials, precise.experiment(rounds=9).workload.until_pct) == (9, 0)
    assert precise.experiment().workload.until_pct == 2.0
    assert preset_library.find("b") == path


def test_versions_of_a_name_are_of_one_model(preset):
    """A model that has moved is the same, and so is one whose files have changed in their place."""
    preset_library.save(preset)

    def other(source, letter):
        changed = {"model": ModelSource(source=source), "fingerprint": letter * 64}
        return preset.model_copy(update=changed)

    moved = presets.load(preset_library.save(preset.model_copy(update={"model": ModelSource(source="/moved")})))
    assert (moved.name, moved.version) == ("b", 2)
    changed = presets.load(preset_library.save(preset.model_copy(update={"fingerprint": "a" * 64})))
    assert (changed.name, changed.version) == ("b", 3)
    second = presets.load(preset_library.save(other("/models/tiny.gguf", "c")))
    assert (second.name, second.version) == ("b, tiny", 1)
    again = presets.load(preset_library.save(other("/models/tiny.gguf", "d")))
    assert (again.name, again.version) == ("b, tiny", 2)
    third = presets.load(preset_library.save(other("/others/tiny", "e")))
    assert (third.name, third.version) == ("b, tiny 2", 1)


def test_fingerprints_of_all_that_the_evidence_rests_on(preset):
    here = Environment(cpu="x")
    whole = preset.model_copy(update={"environment": here, "calibration": {"quantization": "c" * 64}})
    assert whole.fingerprints == {
        "model": "f" * 64, "quantization calibration": "c" * 64, "environment": here.fingerprint
    }  # fmt: skip


def test_the_calibration_is_that_of_the_receipts():
    found = results()
    (receipt,) = found.variants["b"].receipts
    found.variants["b"].receipts = [
        receipt.model_copy(update={"slot": "quantization", "detail": {"calibration_sha256": "c" * 64}})
    ]
    assert presets.from_results(found, "b").calibration == {"quantization": "c" * 64}


def test_a_file_of_the_first_version_opens_and_is_written_as_the_present_one(tmp_path):
    """Written by Dyno 0.1.0 before presets had versions, notes, tags and a history."""
    path = tmp_path / "presets" / "old.json"
    path.parent.mkdir()
    path.write_bytes((Path(__file__).parents[1] / "preset-1.json").read_bytes())
    old = presets.load(path)
    assert (old.schema_version, old.version, old.note, old.tags, old.history) == (1, 1, "", [], [])
    assert old.variant.recipe() == "int8_weight_only · prompt_lookup adaptive=False"
    assert old.row.speed_ratio == pytest.approx(1.2345)
    assert old.row.gate == ""
    assert [r.slot for r in old.row.receipts] == ["quantization"]
    assert old.environment.cpu == "AMD EPYC"
    newer = old.environment.model_copy(update={"cpu_capability": "AVX2", "kernels": ["mkl"]})
    assert old.mismatches(old.fingerprint, newer) == []  # what it did not record has not changed
    preset_library.record(path, judge(old.row, row(old, 1.24), newer, []))
    again = presets.load(path)
    assert again.schema_version == presets.SCHEMA_VERSION
    assert [h.confirmed for h in again.history] == [True]
    assert again.model_copy(update={"schema_version": 1, "history": []}) == old


def test_what_is_no_preset_is_said(tmp_path, preset):
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    with pytest.raises(presets.PresetError, match="not a preset"):
        presets.load(bad)
    bad.write_text(json.dumps({**preset.dump(), "colour": "red"}))
    with pytest.raises(presets.PresetError, match="colour: this key is not known"):
        presets.load(bad)
    with pytest.raises(presets.PresetError, match="no preset 'zzz'"):
        preset_library.find("zzz")


@pytest.mark.parametrize("ratio", [None, 0.0, -1.0])
def test_evidence_without_a_ratio_is_said_before_anything_is_measured(preset, ratio):
    stored = preset.model_copy(update={"row": row(preset, ratio)})
    with pytest.raises(presets.PresetError, match="no stored ratio"):
        presets.stored_ratio(stored)


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"[" * 100_000, "nested too deeply"), (b'{"schema_version": ' + b"9" * 5000, "too long"), (b"\xff", "UTF-8")],
)
def test_files_that_are_no_json(tmp_path, content, words):
    (tmp_path / "p.json").write_bytes(content)
    with pytest.raises(presets.PresetError, match=words):
        presets.load(tmp_path / "p.json")


def test_a_newer_preset_says_so(tmp_path, preset):
    (tmp_path / "p.json").write_text(json.dumps({**preset.dump(), "schema_version": 9, "mood": "calm"}))
    with pytest.raises(presets.PresetError, match="newer version of Dyno"):
        presets.load(tmp_path / "p.json")


def test_a_preset_of_a_newer_version_that_can_be_read_says_so_too(tmp_path, preset):
    assert (preset.newer, preset.mismatches(None, None)) == ("", [])
    newer = preset.model_copy(update={"schema_version": presets.SCHEMA_VERSION + 1, "dyno_version": "9.1"})
    path = presets.write(newer, tmp_path / "newer.json")
    assert presets.load(path).newer.startswith("the preset was written by Dyno 9.1 (format 3), which is newer")
    assert presets.load(path).mismatches(None, None) == [newer.newer]
    assert preset_library.amend(path, "other", "", []).newer  # another name makes it no older
    assert presets.load(path).newer


def test_what_a_newer_version_knows_of_a_machine_closes_no_preset(tmp_path, preset):
    card = {"name": "RTX", "uuid": "u", "memory_bytes": 1, "later": "x"}
    environment = {"cpu": "x86", "later": [1], "devices": [card]}
    path = tmp_path / "p.json"
    path.write_text(json.dumps({**preset.dump(), "environment": environment}))
    found = presets.load(path).environment
    assert found is not None
    assert (found.cpu, found.devices[0].name) == ("x86", "RTX")


def test_built_in_names_are_no_files_of_the_evidence(tmp_path, monkeypatch):
    for name in ("chat", "prose", "basic", "built-in"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    found = results()
    gptq = {"name": "b", "quantization": "gptq"}
    found.experiment = spec.parse({"quality": True, "variant": [{"name": "a"}, gptq]})
    assert presets.from_results(found, "b").files == {}


def test_a_preset_is_written_into_what_is_no_file(tmp_path, preset):
    """A link and a device stay what they are."""
    (tmp_path / "link").symlink_to(tmp_path / "target.json")
    preset_library.save(preset, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert presets.load(tmp_path / "target.json") == preset


def test_a_preset_with_a_strategy_of_another_version_opens(tmp_path, preset):
    data = preset.dump()
    data["variant"]["quantization"] = {"method": "int3_dreams", "bits": 3}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data))
    assert "int3_dreams" in presets.load(path).variant.recipe()


def test_a_variant_that_never_loaded_has_no_evidence():
    found = Results("run-1")
    found.fold(build.started(["a"], 3))
    with pytest.raises(presets.PresetError, match="never loaded"):
        presets.from_results(found, "a")


# -- what has changed since ---------------------------------------------------------------------------------


def test_mismatches_name_what_differs(preset):
    here = Environment(cpu="x", versions={"torch": "2"})
    there = preset.model_copy(update={"environment": Environment(cpu="x", versions={"torch": "1"})})
    assert there.mismatches("f" * 64, here) == ["torch: 1 → 2"]
    assert "model" in there.mismatches("0" * 64, here)[0]


def test_stale_says_which_of_model_files_libraries_and_hardware(tmp_path, preset):
    from core.model.finder import resolve
    from core.model.fingerprints import fingerprint
    from core.model.source import ModelSource
    from core.spec.experiment import QualitySettings
    from tests.core.model.test_models import gguf

    model = tmp_path / "small.gguf"
    gguf(model)
    source = ModelSource(source=str(model))
    text = tmp_path / "calibration.txt"
    text.write_text("one")
    prompts = tmp_path / "prompts.txt"
    prompts.write_text("two")
    variant = preset.variant.model_validate({"name": "b", "quantization": {"method": "gptq", "calibration": str(text)}})
    experiment = preset.experiment().model_copy(
        update={
            "workload": preset.workload.model_copy(update={"prompts": str(prompts)}),
            "quality": QualitySettings(text=str(prompts), suite=str(prompts)),
        }
    )
    files = presets._files(variant, experiment)
    assert list(files) == ["quantization calibration", "prompts", "evaluation text", "suite"]
    here = Environment(cpu="x", versions={"torch": "1"})
    stored = preset.model_copy(
        update={"model": source, "fingerprint": fingerprint(resolve(source)), "environment": here, "files": files}
    )
    assert stored.stale(here) == []
    there = here.model_copy(update={"cpu": "y", "versions": {"torch": "2"}})
    assert stored.stale(there) == ["cpu: x → y", "torch: 1 → 2"]
    text.write_text("another")
    assert stored.stale(here) == [f"quantization calibration: {text} has changed"]
    text.write_text("one")
    (tmp_path / "other.txt").write_text("another")
    prompts.rename(tmp_path / "two.txt")
    prompts.symlink_to(tmp_path / "two.txt")
    assert stored.stale(here) == []
    prompts.unlink()
    prompts.symlink_to(tmp_path / "other.txt")  # the name means something else now
    assert [line.split(":")[0] for line in stored.stale(here)] == ["prompts", "evaluation text", "suite"]
    text.write_text("another")
    prompts.unlink()
    model.write_bytes(model.read_bytes() + b"\0")
    lines = stored.stale(None)
    assert [line.split(":")[0] for line in lines] == [
        "quantization calibration",
        "prompts",
        "evaluation text",
        "suite",
        "model",
    ]
    assert "cannot be read any more" in lines[1]
    model.unlink()
    assert "no such" in stored.stale(None)[-1]


def test_a_draft_model_is_a_part_of_the_evidence(tmp_path, preset):
    from tests.core.tiny import save_tiny

    folder = save_tiny(tmp_path / "draft")
    variant = preset.variant.model_validate(
        {"name": "b", "speculation": {"method": "draft_model", "model": str(folder)}}
    )
    files = presets._files(variant, preset.experiment())
    assert list(files) == ["speculation model"]
    stored = preset.model_copy(update={"files": files})
    assert stored.changed_files() == []
    save_tiny(tmp_path / "draft", seed=1)
    assert stored.changed_files() == [f"speculation model: {folder} has changed"]


def test_a_preset_that_a_draft_is_made_with_is_a_part_of_the_evidence(preset):
    """By its name too: the newest version of it is what drafts."""
    first = preset_library.save(preset.model_copy(update={"name": "small & fast"}))
    variant = preset.variant.model_validate(
        {"name": "b", "speculation": {"method": "self_draft", "preset": "small & fast"}}
    )
    files = presets._files(variant, preset.experiment())
    assert files["speculation preset"].path == str(first)
    stored = preset.model_copy(update={"files": files, "variant": variant})
    assert stored.changed_files() == []
    second = preset_library.save(preset.model_copy(update={"name": "small & fast"}))
    assert stored.changed_files() == [f"speculation preset: it was {first}, and is {second} now"]
    second.unlink()
    first.write_text("{}")
    assert stored.changed_files() == [f"speculation preset: {first} has changed"]


# -- the library --------------------------------------------------------------------------------------------


def test_saving_again_makes_a_new_version_and_keeps_the_older(preset):
    first, second = preset_library.save(preset), preset_library.save(preset.model_copy(update={"note": "better"}))
    preset_library.save(preset.model_copy(update={"name": "a"}))
    assert [(p.name, p.version) for _, p in preset_library.library()] == [("a", 1), ("b", 1), ("b", 2)]
    assert [(p.name, p.version) for _, p in preset_library.newest(preset_library.library())] == [("a", 1), ("b", 2)]
    assert preset_library.find("b") == second
    assert preset_library.find("b@2") == second
    assert preset_library.find("b@1") == first
    assert presets.load(first).note == ""
    with pytest.raises(presets.PresetError, match="no preset 'b@3'"):
        preset_library.find("b@3")


def test_names_that_become_one_file_name_stay_apart(preset):
    names = ["int8 + lookup", "int8 - lookup", "int8-lookup", "日本", "…"]
    paths = [preset_library.save(preset.model_copy(update={"name": name})) for name in names]
    assert len(set(paths)) == len(names)
    for name, path in zip(names, paths, strict=True):
        assert presets.load(path).version == 1
        assert preset_library.find(str(path)) == path
        assert presets.load(preset_library.find(name)).name in names
    assert preset_library.find("日本") == paths[3]


def test_files_of_the_first_library_are_versions_by_their_time(tmp_path, preset):
    """It named the second b `b-2.json`; both say version 1."""
    for name, created in (("b", "2026-01-01T00:00:00+00:00"), ("b-2", "2026-02-01T00:00:00+00:00")):
        presets.write(preset.model_copy(update={"created": created}), preset_library.folder() / f"{name}.json")
    assert preset_library.find("b").stem == "b-2"
    assert presets.load(preset_library.save(preset)).version == 2


def test_saving_at_once_loses_none(preset):
    threads = [threading.Thread(target=preset_library.save, args=(preset,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [p.version for _, p in preset_library.library()] == list(range(1, 9))


def test_what_cannot_be_read_is_said_and_hides_nothing(preset):
    preset_library.save(preset)
    (preset_library.folder() / "broken.json").write_text("{")
    assert [p.name for _, p in preset_library.library()] == ["b"]
    (line,) = preset_library.faults()
    assert "broken.json: is not a preset" in line


def test_searching(preset):
    for name, note, tags in (("b", "for the Laptop", ["edge", "CI"]), ("c", "", ["edge"]), ("d", "", [])):
        preset_library.save(preset.model_copy(update={"name": name, "note": note, "tags": tags}))
    entries = preset_library.library()

    def names(*args):
        return [p.name for _, p in preset_library.search(entries, *args)]

    assert names() == ["b", "c", "d"]
    assert names("laptop") == ["b"]
    assert names("", ["edge"]) == ["b", "c"]
    assert names("", ["ci", "edge"]) == ["b"]
    assert names("zzz") == []


def test_names_that_no_file_has(preset):
    for name in ("x" * 300, "a\0b", "", "@", "@1"):
        with pytest.raises(presets.PresetError, match="there is no preset"):
            preset_library.find(name)


def test_verifications_are_appended_and_none_is_lost(preset):
    path = preset_library.save(preset)

    def verify(number: int) -> None:
        preset_library.record(path, judge(preset.row, row(preset, 1.5 + number / 1000), Environment(), []))

    threads = [threading.Thread(target=verify, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    again = presets.load(path)
    assert sorted(h.ratio_now for h in again.history) == pytest.approx([1.5 + n / 1000 for n in range(6)])
    assert again.model_copy(update={"history": []}) == preset


def test_a_history_that_cannot_be_written_is_a_sentence(tmp_path, preset):
    path = tmp_path / "p.json"
    presets.write(preset, path)
    with pytest.raises(presets.PresetError, match=r"cannot be (read|written)"):
        preset_library.record(tmp_path / "gone" / "x" / "p.json", judge(preset.row, preset.row, None, []))
