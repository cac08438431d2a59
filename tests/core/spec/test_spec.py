import tomllib
from typing import ClassVar, Literal

import pytest
from pydantic import Field

from core.model.finder import resolve
from core.model.model_error import ModelError
from core.spec import experiment as spec
from core.spec.variant import REGISTRY, Strategy, UnknownStrategy
from core.spec.workload import HOW_LONG, Workload


@pytest.fixture
def example():
    """A strategy of this test's own: one class is all that a new one takes."""

    class Example(Strategy):
        slot: ClassVar[str] = "attention"
        key: ClassVar[str] = "example"
        title: ClassVar[str] = "Example"
        summary: ClassVar[str] = "Does nothing."
        window: int = Field(4, ge=1, le=9)
        mode: Literal["a", "b"] = "a"

    yield Example
    del REGISTRY["attention"]["example"]


def attention(**values) -> dict:
    return {"variant": [{"name": "a", "attention": values}]}


def faults(data) -> str:
    with pytest.raises(spec.SpecError) as caught:
        spec.parse(data)
    return str(caught.value)


def test_defaults_are_those_of_the_documentation():
    work = spec.parse({"variant": [{"name": "baseline"}]}).workload
    assert (work.prompts, work.prompt_tokens, work.new_tokens, work.trials) == ("chat", 128, 64, 5)


def test_several_requests_at_once():
    work = Workload(concurrency=8)
    assert (work.request_count, work.arrival) == (8, "closed")
    assert Workload(concurrency=8, requests=20).request_count == 20
    old = Workload().model_dump(exclude={"requests", "arrival", "rate"})
    assert Workload.model_validate(old) == Workload()  # a file of a version that knew no requests
    described = [f for f in Workload.model_fields.values() if f.description]
    assert len(described) == len(Workload.model_fields)
    for wrong in ({"concurrency": 0}, {"concurrency": 257}, {"rate": 0}, {"arrival": "burst"}, {"requests": -1}):
        assert f"workload.{next(iter(wrong))}" in faults({"variant": [{"name": "a"}], "workload": wrong})


def test_the_rounds_of_a_run_that_goes_on_until_it_is_precise():
    assert Workload(trials=7).most_rounds == 7
    assert Workload(trials=7, max_trials=3).most_rounds == 7  # of no meaning without a target
    assert Workload(trials=7, until_pct=2.5, max_trials=40).most_rounds == 40
    assert set(HOW_LONG) < set(Workload.model_fields)


def test_a_new_strategy_is_one_class(example):
    experiment = spec.parse({"variant": [{"name": "x", "attention": {"method": "example", "window": 5}}]})
    assert experiment.variants[0].attention == example(window=5)
    assert experiment.variants[0].recipe() == "example window=5"
    assert spec.parse(experiment.dump()) == experiment


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({}, ["variant: Field required"]),
        ({"variant": []}, ["variant: there must be at least one"]),
        ({"variant": "a"}, ["variant: expected a list of tables: [[variant]] (got 'a')"]),
        ({"variant": [1]}, ["variant[0]: expected a table of keys and values (got 1)"]),
        ({"variant": [{"name": "a"}], "model": "demo"}, ["model: expected a table of keys and values (got 'demo')"]),
        ({"variant": [{"name": "a"}], "modle": {}}, ["modle: this key is not known"]),
        ({"variant": [{"name": "a"}], "workload": {"trials": 0}}, ["workload.trials", "or equal to 1"]),
        ({"variant": [{"name": "a"}], "workload": {"until_pct": 51}}, ["workload.until_pct", "equal to 50"]),
        ({"variant": [{"name": "a"}], "workload": {"budget_s": -1}}, ["workload.budget_s", "equal to 0"]),
        ({"variant": [{"name": "a"}], "workload": {"engines": "two"}}, ["workload.engines", "'reload'"]),
        (
            {"variant": [{"name": "a"}], "workload": {"until_pct": 3, "trials": 9, "max_trials": 8}},
            ["workload: max_trials is 8, below the 9 rounds that trials asks for"],
        ),
        ({"variant": [{"name": "a"}], "workload": {"prompt_tokens": "many"}}, ["workload.prompt_tokens", "'many'"]),
        ({"variant": [{"name": "a"}, {"name": "a"}]}, ["two variants are named 'a'"]),
        (attention(method="nope"), ["variant[0].attention", "nope", "allowed: ", "example"]),
        (attention(window=3), ["variant[0].attention", "method"]),
        (attention(method="example", window=99), ["variant[0].attention.window", "9"]),
        (attention(method="example", mode="c"), ["variant[0].attention.mode", "'a' or 'b'"]),
        (attention(method="example", depth=1), ["variant[0].attention.depth", "not known"]),
        ({"variant": [{"name": "a", "turbo": True}]}, ["variant[0].turbo: this key is not known"]),
        ({"variant": [{"name": "a", "x\x1b[31m": 1}]}, ["variant[0].x\\x1b[31m: this key is not known"]),
        ({"variant": [{"name": " "}]}, ["variant[0].name: a name may not be blank"]),
        ({"variant": [{"name": "a\x1b[31m"}]}, ["variant[0].name: a name may not hold control characters: a\\x1b[31m"]),
        ({"variant": [{"name": "a\u2028b"}]}, ["variant[0].name", "control characters"]),
        ({"variant": [{"name": "a"}, {"name": " a "}]}, ["two variants are named 'a'"]),
        ({"variant": [{"name": "ab"}, {"name": "a\u200bb"}]}, ["look the same, and are 'ab' and 'a\\u200bb'"]),
        ({"variant": [{"name": "\u200b"}]}, ["a name may not be blank"]),
        ({"variant": [{"name": "a"}], "model": {"source": "x" * 5000, "revision": 3}}, ["model.revision"]),
        ({"variant": [{"name": "a"}], "workload": {"prompts": 3 * ["x"]}}, ["workload.prompts"]),
        ({"variant": [{"name": "x" * 5000}]}, ["variant[0].name", "…"]),
    ],
)  # fmt: skip
def test_a_fault_names_its_place_and_what_is_allowed(example, data, words):
    message = faults(data)
    for word in words:
        assert word in message
    assert "pydantic" not in message


@pytest.mark.parametrize(
    ("part", "values"),
    [
        ("model", {"allow_pickle": "yes"}),
        ("model", {"trust_remote_code": 1}),
        ("workload", {"trials": True}),
        ("workload", {"trials": "2"}),
        ("workload", {"trials": 2.0}),
        ("workload", {"temperature": "0"}),
        ("attention", {"window": True}),
        ("attention", {"window": "5"}),
    ],
)
def test_what_is_written_is_not_read_as_something_else(example, part, values):
    if part == "attention":
        message = faults(attention(method="example", **values))
    else:
        message = faults({"variant": [{"name": "a"}], part: values})
    assert f"{part}.{next(iter(values))}: Input should be a valid" in message


def test_a_whole_number_is_a_rate_too():
    assert spec.parse({"variant": [{"name": "a"}], "workload": {"temperature": 1, "rate": 2}}).workload.rate == 2.0


def test_names_are_what_can_be_seen_of_them():
    assert spec.parse({"variant": [{"name": " 变体 🚀\u2009"}]}).variants[0].name == "变体 🚀"
    kept = spec.parse({"variant": [{"name": " a"}, {"name": "a\n"}]}, lenient=True)  # an old run: its events say so
    assert [v.name for v in kept.variants] == [" a", "a\n"]


def test_faults_are_all_told_at_once(example):
    message = faults({"variant": [{"name": "a", "x": 1}], "workload": {"trials": 0}})
    assert len(message.splitlines()) == 2


def test_an_old_file_opens_and_its_unknown_strategy_is_shown(example):
    data = attention(method="gone", depth=3)
    variant = spec.parse(data, lenient=True).variants[0]
    assert isinstance(variant.attention, UnknownStrategy)
    assert variant.dump()["attention"] == {"method": "gone", "depth": 3}
    assert variant.attention.conflicts(variant, None, Workload())
    assert "gone" in variant.recipe()


def test_toml_round_trip(tmp_path, example):
    experiment = spec.parse(
        {
            "model": {"source": 'C:\\models\\"x"'},
            "variant": [{"name": '=1+1"\\'}, {"name": "é × 变体", "attention": {"method": "example", "mode": "b"}}],
        }
    )
    path = tmp_path / "e.toml"
    path.write_text(spec.to_toml(experiment), "utf-8")
    assert spec.read_toml(path) == experiment
    assert tomllib.loads(path.read_text("utf-8"))["variant"][1]["attention"]["mode"] == "b"


def test_a_byte_order_mark_is_no_fault(tmp_path):
    (tmp_path / "e.toml").write_text('[[variant]]\nname = "a"\n', "utf-8-sig")
    assert spec.read_toml(tmp_path / "e.toml").variants[0].name == "a"


@pytest.mark.parametrize("source", ["/" + "a" * 5000, "a" * 5000, "a\\u0000b", "~nosuchuser/x"])
def test_a_source_that_is_no_path_is_left_to_the_model(tmp_path, source):
    (tmp_path / "e.toml").write_text(f'[model]\nsource = "{source}"\n[[variant]]\nname = "a"\n')
    experiment = spec.read_toml(tmp_path / "e.toml")
    with pytest.raises(ModelError, match=r"no such|neither|too long") as caught:
        resolve(experiment.model)
    assert len(str(caught.value)) < 500


def test_a_folder_whose_name_is_not_utf8(tmp_path):
    import os

    folder = tmp_path / os.fsdecode(b"\xff")
    (folder / "model").mkdir(parents=True)
    (folder / "e.toml").write_text('[model]\nsource = "model"\n[[variant]]\nname = "a"\n')
    with pytest.raises(spec.SpecError, match="not UTF-8"):
        spec.read_toml(folder / "e.toml")


def test_built_in_names_are_no_folders_beside_the_file(tmp_path):
    for name in ("demo", "chat", "prose", "basic", "none", "built-in", "mine"):
        (tmp_path / name).mkdir()
    (tmp_path / "mine.json").write_text("{}")
    path = tmp_path / "e.toml"
    speculation = '{ method = "self_draft", preset = "mine" }'
    path.write_text(
        f'[quality]\n[[variant]]\nname = "a"\nquantization = "gptq"\n[[variant]]\nname = "b"\n'
        f'speculation = "self_draft"\n[[variant]]\nname = "c"\nspeculation = {speculation}\n'
        f'[[variant]]\nname = "d"\nspeculation = {speculation.replace("mine", "mine.json")}\n'
    )
    found = spec.read_toml(path)
    assert (found.model.source, found.workload.prompts) == ("demo", "chat")
    assert (found.quality.text, found.quality.suite) == ("prose", "basic")
    assert found.variants[0].quantization.calibration == "built-in"
    presets = [v.speculation.preset for v in found.variants[1:]]
    assert presets == ["", "mine", str(tmp_path / "mine.json")]  # nothing stays nothing, and a name a name
    path.write_text('[model]\nsource = "./demo"\n[quality]\nsuite = "none"\n[[variant]]\nname = "a"\n')
    found = spec.read_toml(path)
    assert (found.model.source, found.quality.suite) == (str(tmp_path / "demo"), "none")


def test_a_file_that_is_only_shown_keeps_names_that_look_the_same():
    data = {"variant": [{"name": "ab"}, {"name": "a\u200bb"}]}
    assert [v.name for v in spec.parse(data, lenient=True).variants] == ["ab", "a\u200bb"]


def test_the_file_of_the_documentation_is_read(tmp_path):
    path = tmp_path / "e.toml"
    (tmp_path / "mine.txt").write_text("Hello\n")
    path.write_text('[workload]\nprompts = "mine.txt"\n[[variant]]\nname = "baseline"\n')
    assert spec.read_toml(path).workload.prompts == str(tmp_path / "mine.txt")  # beside the file
    (tmp_path / "mine.txt").rename(tmp_path / "blob")
    (tmp_path / "mine.txt").symlink_to(tmp_path / "blob")  # as a hub's cache has its files
    assert spec.read_toml(path).workload.prompts == str(tmp_path / "mine.txt")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[model", "not valid TOML"),
        (b"\xff\xfe", "not valid TOML: it is not UTF-8 text"),
        (b"#" * (5 << 20), "larger than 4 MiB"),
        (b"x = " + b"[" * 3000 + b"]" * 3000, "nested too deeply"),
        (b"x = " + b"9" * 5000, "a number that is too long"),
    ],
)
def test_a_file_that_is_no_toml(tmp_path, content, words):
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(spec.SpecError, match=words):
        spec.read_toml(path)
    with pytest.raises(spec.SpecError, match="cannot be read"):
        spec.read_toml(tmp_path / "absent.toml")


def test_quality_is_asked_for_by_a_table_or_by_true(tmp_path):
    one = [{"name": "a"}]
    assert spec.parse({"variant": one}).quality is None
    assert spec.parse({"variant": one, "quality": False}).quality is None
    assert "quality" not in spec.parse({"variant": one}).dump()
    assert spec.parse({"variant": one, "quality": True}).quality == spec.QualitySettings()
    table = {"tokens": 4096, "window": 256, "gate": {"kld_green": 0.02}}
    asked = spec.parse({"variant": one, "quality": table})
    assert (asked.quality.tokens, asked.quality.text, asked.quality.gate.kld_green) == (4096, "prose", 0.02)
    assert spec.parse(asked.dump()) == asked
    (tmp_path / "own.txt").write_text("x")
    (tmp_path / "e.toml").write_text('[quality]\ntext = "own.txt"\n\n[[variant]]\nname = "a"\n')
    read = spec.read_toml(tmp_path / "e.toml")
    assert read.quality.text == str(tmp_path / "own.txt")
    (tmp_path / "again.toml").write_text(spec.to_toml(read))
    assert spec.read_toml(tmp_path / "again.toml") == read


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"tokens": 10}, ["quality.tokens", "64"]),
        ({"window": 33}, ["quality.window", "multiple of 2"]),
        ({"tokens": "many"}, ["quality.tokens", "'many'"]),
        ({"words": 1}, ["quality.words: this key is not known"]),
        ({"gate": {"kld_green": 1.0}}, ["quality.gate", "amber must allow at least what green allows"]),
        ("yes", ["quality: expected a table of keys and values (got 'yes')"]),
    ],
)
def test_faults_of_the_quality_table(table, words):
    said = faults({"variant": [{"name": "a"}], "quality": table})
    assert all(word in said for word in words), said
