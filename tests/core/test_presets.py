import json

import pytest

from core import presets
from core.environment import Environment
from core.results import Results
from tests.core import build


@pytest.fixture(autouse=True)
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("DYNO_DATA", str(tmp_path))


@pytest.fixture
def preset():
    results = Results("run-1")
    for event in build.run([1.5, 1.4, 1.6, 1.5]):
        results.add(event)
    return presets.from_results(results, "b")


def row(preset, ratio):
    return preset.row.model_copy(update={"speed_ratio": ratio})


def test_a_preset_carries_its_evidence(preset):
    path = presets.save(preset)
    again = presets.load(path)
    assert again == preset
    assert again.row.speed_ratio == pytest.approx(1.5, rel=0.02)
    assert again.fingerprint == "f" * 64
    assert [v.name for v in again.experiment().variants] == ["a", "b"]
    assert presets.find("b") == path


def test_saving_never_overwrites(preset):
    assert presets.save(preset) != presets.save(preset)
    assert len(presets.library()) == 2


@pytest.mark.parametrize(("now", "agrees"), [(1.5, True), (1.53, True), (1.6, False), (1.4, False)])
def test_verify_compares_log_ratios_with_the_margin(preset, now, agrees):
    stored = preset.model_copy(update={"row": row(preset, 1.5)})
    assert presets.verify(stored, row(preset, now))[0] is agrees


def test_mismatches_name_what_differs(preset):
    here = Environment(cpu="x", versions={"torch": "2"})
    there = preset.model_copy(update={"environment": Environment(cpu="x", versions={"torch": "1"})})
    assert there.mismatches("f" * 64, here) == ["torch: 1 → 2"]
    assert "model" in there.mismatches("0" * 64, here)[0]


def test_what_is_no_preset_is_said(tmp_path, preset):
    bad = tmp_path / "bad.json"
    bad.write_text("{")
    with pytest.raises(presets.PresetError, match="not a preset"):
        presets.load(bad)
    bad.write_text(json.dumps({**preset.dump(), "colour": "red"}))
    with pytest.raises(presets.PresetError, match="colour: this key is not known"):
        presets.load(bad)
    with pytest.raises(presets.PresetError, match="no preset 'zzz'"):
        presets.find("zzz")


@pytest.mark.parametrize("ratio", [None, 0.0, -1.0])
def test_evidence_without_a_ratio_is_said_before_anything_is_measured(preset, ratio):
    stored = preset.model_copy(update={"row": row(preset, ratio)})
    with pytest.raises(presets.PresetError, match="no stored ratio"):
        presets.stored_ratio(stored)
    with pytest.raises(presets.PresetError, match="no stored ratio"):
        presets.verify(stored, row(preset, 1.5))
    with pytest.raises(presets.PresetError, match="gave no ratio"):
        presets.verify(preset, row(preset, ratio))


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


def test_a_preset_is_written_into_what_is_no_file(tmp_path, preset):
    """A link and a device stay what they are."""
    (tmp_path / "link").symlink_to(tmp_path / "target.json")
    presets.save(preset, tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert presets.load(tmp_path / "target.json") == preset


def test_names_that_no_file_has(preset):
    with pytest.raises(presets.PresetError, match="there is no preset"):
        presets.find("x" * 300)


def test_a_preset_with_a_strategy_of_another_version_opens(tmp_path, preset):
    data = preset.dump()
    data["variant"]["quantization"] = {"method": "int3_dreams", "bits": 3}
    path = tmp_path / "old.json"
    path.write_text(json.dumps(data))
    assert "int3_dreams" in presets.load(path).variant.recipe()


def test_a_variant_that_never_loaded_has_no_evidence():
    results = Results("run-1")
    results.add(build.started(["a"], 3))
    with pytest.raises(presets.PresetError, match="never loaded"):
        presets.from_results(results, "a")
