"""The models of the zoo are worth comparing: each one's text depends on its prompt, and changes from token to token."""

import pytest
import torch

from tests.zoo.models import KINDS, make


def test_the_zoo_has_a_hundred_architectures():
    assert len(KINDS) >= 100


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_text_depends_on_the_prompt_and_weights_are_the_same_every_time(kind):
    prompts = torch.randint(0, 256, (2, 1, 24), generator=torch.Generator().manual_seed(1))
    first, again = make(kind), make(kind)
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), again.parameters(), strict=True))
    options = {"do_sample": False, "max_new_tokens": 12, "min_new_tokens": 12}
    texts = [
        model.generate(ids, **options)[0, 24:].tolist() for model, ids in zip((first, again), prompts, strict=True)
    ]
    assert texts[0] != texts[1]
    assert all(len(set(text)) > 1 for text in texts)
