"""Which class each Linear has, in lines and back."""

from core.model.layer_map import MOST, LayerPart, layers, lines, parsed

KINDS = {
    **{f"model.layers.{i}.self_attn.q_proj": "Linear" if i == 0 else "Int4Linear" for i in range(12)},
    **{f"model.layers.{i}.mlp.up_proj": "Linear" if i in (0, 5, 11) else "Int4Linear" for i in range(12)},
    "lm_head": "Int8Linear",
}


def test_runs_of_layers_and_what_is_there_once() -> None:
    told = lines(KINDS)
    assert told == [
        "self_attn.q_proj: 0 Linear, 1-11 Int4Linear",
        "mlp.up_proj: 0 Linear, 1-4 Int4Linear, 5 Linear, 6-10 Int4Linear, 11 Linear",
        "lm_head: Int8Linear",
    ]
    parts = parsed(told)
    assert layers(parts) == 12
    assert parts[2] == LayerPart("lm_head", {None: "Int8Linear"})
    assert {f"model.layers.{i}.{p.name}" if i is not None else p.name: kind
            for p in parts for i, kind in p.kinds.items()} == KINDS  # fmt: skip


def test_layers_that_are_missing_have_no_class() -> None:
    kinds = {f"transformer.h.{i}.attn.c_attn": "Int8Linear" for i in (0, 1, 3)}
    (part,) = parsed(lines(kinds))
    assert part.kinds == dict.fromkeys((0, 1, 3), "Int8Linear")


def test_experts_have_no_map_and_odd_lines_no_part() -> None:
    assert lines({f"layers.0.mlp.experts.{i}.w1": "Linear" for i in range(MOST + 1)}) == []
    assert parsed(["", "nonsense", 3]) == []
    assert layers([]) == 0
