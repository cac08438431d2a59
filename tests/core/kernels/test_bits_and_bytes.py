"""Layers of bitsandbytes that are made where the weight is, against those that its own way makes."""

import pytest
import torch

from core.kernels.weights.bits_and_bytes import llm_int8

bitsandbytes = pytest.importorskip("bitsandbytes")


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_llm_int8_has_the_codes_and_scales_of_bitsandbytes_own_way(dtype: torch.dtype):
    torch.manual_seed(0)
    linear = torch.nn.Linear(64, 48).to(dtype)
    new = llm_int8(linear, threshold=6.0)
    own = bitsandbytes.nn.Int8Params(linear.weight.detach().contiguous(), requires_grad=False).to("cpu")
    assert torch.equal(new.weight.CB, own.CB)
    assert torch.equal(new.weight.SCB, own.SCB)
    assert new.weight.dtype == torch.int8
    x = torch.randn(2, 3, 64, dtype=dtype)
    assert torch.allclose(new(x).float(), linear(x).float(), atol=0.05)
