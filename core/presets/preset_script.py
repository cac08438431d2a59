"""Writes a preset as a transformers script that does not need Dyno."""

from __future__ import annotations

from pathlib import Path

from core import __version__
from core.analysis import verdict_text
from core.base import formatting
from core.base.files import parse_json, read_whole
from core.feasibility.compatibility import conflicts_with_weights, repeated
from core.model import conversion_note, model_kinds
from core.model.facts import ModelFacts
from core.model.finder import resolve
from core.model.fingerprints import gguf_sha256
from core.model.model_error import ModelError
from core.model.source import ModelSource
from core.presets.preset import Preset, PresetError
from core.spec.script_builder import Code, Script, call, comment, expression
from core.strategies.precision import default_precision

#: A model's own defaults may sample or penalize, which was not measured.
_DEFAULTS = (
    "end = model.generation_config.eos_token_id or tokenizer.eos_token_id",
    "pad = end[0] if isinstance(end, list) else end",
    "model.generation_config = GenerationConfig(eos_token_id=end, pad_token_id=pad)  # nothing but what was measured",
)
_TORCH = {"fp32": "float32", "bf16": "bfloat16", "fp16": "float16", "fp64": "float64"}


def build(preset: Preset, folder: Path | None = None) -> tuple[str, list[str]]:
    """Return the script and one line per part of the recipe that it does not reproduce. `folder` is a model that `dyno
    preset materialize` wrote from this preset. Raises PresetError."""
    source = preset.model if folder is None else ModelSource(source=str(folder.expanduser().resolve()))
    facts = _facts(source, preset)
    out = Script(facts, _dtype(preset))
    out.use(
        "import argparse",
        "import torch",
        "from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig",
    )
    made = repeated(facts.materialized, preset.variant) if facts is not None and facts.materialized is not None else []
    model = _model(source, facts, out)
    for strategy in preset.variant.strategies():
        if strategy.slot not in made:
            strategy.script(out)
    text = "\n".join([*_head(preset, out), *_body(preset, out, model), ""])
    compile(text, "preset.py", "exec")  # a strategy that writes no Python is a fault of ours, found here
    return text, [f"{what}: {why}" for what, why in out.missing]


def _facts(source: ModelSource, preset: Preset) -> ModelFacts | None:
    """Return the model's facts; None for a model of another machine."""
    try:
        facts = resolve(source)
    except ModelError as error:
        if source is not preset.model:
            raise PresetError(str(error)) from None
        return None
    note = facts.materialized
    if note is not None and not note.for_others:
        raise PresetError(f"{facts.path}: only Dyno loads this folder: its layers are in a format of Dyno's own")
    if facts.scheme is not None and not facts.scheme.transformers:
        raise PresetError(
            f"{facts.path}: transformers would take the codes of these weights ({facts.scheme.words}) for what they "
            "stand for; Dyno reads them itself"
        )
    if note is not None and (reasons := conflicts_with_weights(note, preset.variant)):
        raise PresetError(f"{facts.path}: {reasons[0]}")
    if note is not None and source is not preset.model and note.fingerprint != preset.fingerprint:
        raise PresetError(f"{facts.path}: was made from another model than the preset was measured on")
    return facts


def _dtype(preset: Preset) -> str:
    """Return torch's name of the precision that a recipe without a precision was measured in."""
    measured = preset.row.dtype if preset.row is not None else ""
    if measured in _TORCH:
        return _TORCH[measured]
    return _TORCH[default_precision(preset.environment)] if preset.environment is not None else "bfloat16"


def _model(source: ModelSource, facts: ModelFacts | None, out: Script) -> str:
    """Return the script's MODEL expression and the loading arguments."""
    if source.trust_remote_code:
        out.load["trust_remote_code"] = True
    if not source.allow_pickle:
        out.load["use_safetensors"] = True
    local = facts is not None and Path(source.source).exists()
    if source.revision is not None and not local:
        out.load["revision"] = source.revision
    if facts is None:
        out.note("the model was not found where this was written; check the name below")
        return source.source
    note, scheme = facts.materialized, facts.scheme
    packages = ["compressed-tensors"] if note is not None and note.codes else list(scheme.packages) if scheme else []
    if packages:
        out.note(f"transformers needs {' and '.join(packages)} for these weights")
    if facts.kind == "gguf":
        found = conversion_note.find(gguf_sha256(Path(facts.path)))
        if found is not None:
            out.note(
                f"MODEL is what Dyno made of {facts.path}; copy that folder, since a cache may be emptied. Its numbers "
                "are the file's, dequantized"
            )
            return str(found.folder)
        out.load["gguf_file"] = Path(facts.path).name
        out.load.pop("use_safetensors", None)
        out.note(
            "transformers dequantizes the GGUF file at every start, reads one part of a split file alone, drops what "
            "the file says of scaled rotary embeddings, and permutes no channels, without which int4 reproduces a "
            "4-bit file's own grid. Write this script again after a run of the preset: it then uses what Dyno made "
            "of the file"
        )
        return str(Path(facts.path).parent)
    if _has_other_parts(Path(facts.path)):
        out.note(
            "Dyno measured the text part of this model of images and text, which transformers does not load from here "
            "by itself: materialize the preset, and give the folder of the result as MODEL"
        )
    return facts.path if local else source.source


def _has_other_parts(folder: Path) -> bool:
    try:
        return model_kinds.text_kind(parse_json(read_whole(folder / "config.json"))) is not None
    except (OSError, ValueError, AttributeError):
        return False


def _head(preset: Preset, out: Script) -> list[str]:
    """Return the script's opening comments: preset, measurement, omissions."""
    row = preset.row
    lines = [f"{preset.name}, version {preset.version}: {preset.variant.recipe()}"]
    lines.append(f"Written by Dyno {__version__}; it needs torch and transformers, and no Dyno.")
    if preset.note:
        lines += ["", *preset.note.splitlines()]
    if row is not None and row.speed_ratio:
        where = preset.environment.cpu if preset.environment and not preset.environment.devices else row.device
        lines += [
            "",
            f"Saved {preset.created} with its evidence:",
            f"{verdict_text.hedged(row)} {verdict_text.interval(row)} against {preset.baseline.name}",
        ]
        lines.append(f"({preset.baseline.recipe()}), in Dyno's own loop on {where}; generate() has more overhead.")
        if row.flags:
            lines.append(f"Measured under these conditions: {row.flags}.")
        if row.kld_mean is not None:
            lines.append(
                f"KL divergence {formatting.number(row.kld_mean)} nats per token, gate {row.gate or 'not judged'}."
            )
        versions = preset.environment.versions if preset.environment else {}
        lines.append("With " + ", ".join(f"{n} {versions[n]}" for n in ("torch", "transformers") if n in versions))
    if out.missing:
        lines += ["", "NOT in this script:"]
        lines += [f"* {what}: {why}" for what, why in out.missing]
    if out.notes:
        lines += ["", *(f"Note: {note}." for note in out.notes)]
    return [comment(line) for line in lines]


def _body(preset: Preset, out: Script, model: str) -> list[str]:
    work = preset.workload
    given = {k: out.load[k] for k in ("revision", "trust_remote_code", "gguf_file") if k in out.load}
    tokenizer = call("AutoTokenizer.from_pretrained", Code("MODEL"), **given)
    names = ", ".join(["tokenizer", "model", *out.also])
    sampling: dict[str, object] = {"do_sample": work.temperature > 0}
    if work.temperature > 0:
        sampling |= {"temperature": work.temperature, "top_k": work.top_k, "top_p": work.top_p}
    generate = {**sampling, **out.generate}
    plain = sorted(line for line in out.imports if line.startswith("import "))
    from_ = sorted(line for line in out.imports if not line.startswith("import "))
    return [
        "from __future__ import annotations",
        "",
        *plain,
        *from_,
        "",
        f"MODEL = {expression(model)}",
        "",
        *(part for source in out.definitions.values() for part in ("", source, "")),
        "",
        "def load():",
        f'    """{_returns(out)}"""',
        '    device = "cuda" if torch.cuda.is_available() else "cpu"',
        f"    tokenizer = {tokenizer}",
        *(f"    {line}" for line in out.loading("MODEL", _DEFAULTS)),
        f"    return {names}",
        "",
        "",
        f"def generate({names}, ids, new_tokens):",
        '    """At most `new_tokens` ids that follow `ids`, a tensor [1, n]."""',
        "    with torch.inference_mode():",
        "        done = model.generate(",
        "            ids,",
        "            attention_mask=torch.ones_like(ids),",
        "            max_new_tokens=new_tokens,",
        *(f"            {name}={expression(value)}," for name, value in generate.items()),
        "        )",
        "    return done[0, ids.shape[1] :].tolist()",
        "",
        "",
        "def main():",
        "    parser = argparse.ArgumentParser()",
        '    parser.add_argument("prompt", nargs="?", default="Explain in a few sentences why the sky is blue.")',
        f'    parser.add_argument("--new-tokens", type=int, default={work.new_tokens})',
        "    arguments = parser.parse_args()",
        f"    {names} = load()",
        "    text = arguments.prompt",
        "    if tokenizer.chat_template:",
        '        message = [{"role": "user", "content": text}]',
        "        text = tokenizer.apply_chat_template(message, tokenize=False, add_generation_prompt=True)",
        "    special = not tokenizer.chat_template",
        '    ids = tokenizer(text, return_tensors="pt", add_special_tokens=special)["input_ids"].to(model.device)',
        f"    print(tokenizer.decode(generate({names}, ids, arguments.new_tokens)))",
        "",
        "",
        'if __name__ == "__main__":',
        "    main()",
    ]


def _returns(out: Script) -> str:
    return f"The tokenizer, the model{' and what guesses for it' if out.also else ''}, with the recipe applied."
