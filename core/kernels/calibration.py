"""Fixed natural text for passes that must see ordinary activations. Knows a tokenizer's call, no model."""

from __future__ import annotations

from typing import Any

TEXT = """\
The harbour was quiet when the ferry came in. Two men in yellow coats caught the ropes, and a dog that belonged
to neither of them watched from the end of the pier. By noon the market would fill the square with fish, bread
and second-hand books, but at six in the morning there was only the smell of salt and diesel.

To make a simple soup, chop two onions and three carrots and let them soften in butter. Add a litre of stock,
a bay leaf and a handful of lentils, and simmer for forty minutes. Taste before you add any salt: the stock may
have enough of its own. Serve it hot, with a spoon of yoghurt.

Photosynthesis turns light, water and carbon dioxide into sugar and oxygen. In the first stage, chlorophyll
absorbs light and its energy splits water; in the second, the plant uses that energy to fix carbon. Most of
the oxygen that we breathe was released this way, much of it by algae in the sea.

def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2

"How long have you lived here?" she asked. "Since the year of the flood," he said, "when the river took the old
bridge and nobody could cross for a month." He pointed at a line on the wall, higher than her head. She tried
to imagine the water there, brown and slow, with chairs and apples floating in it.

The committee met on Tuesday to discuss the budget for the coming year. Spending on roads will rise by four
percent, while the library keeps what it has. Three members voted against the proposal, arguing that repairs to
the school roof had already been postponed twice. A final decision is expected in March.

A train leaves the first station at 9:15 and travels at 80 kilometres per hour. Another leaves the second
station, 200 kilometres away, at 9:45 and travels towards it at 120 kilometres per hour. When the second train
starts, the first has covered 40 kilometres, so 160 remain. Together they close 200 kilometres every hour, which
takes them 48 minutes. They meet at 10:33.
"""


def calibration_ids(tokenizer: Any, count: int) -> list[int]:
    """At most `count` token ids of the text; fewer where the text is shorter."""
    return list(tokenizer(TEXT, add_special_tokens=False)["input_ids"][:count])
