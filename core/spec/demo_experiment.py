"""The starter comparison on the bundled demo model."""

from core.spec.experiment import Experiment, parse


def experiment() -> Experiment:
    """Return the comparison: a baseline in the processor's native precision, int8 and int4 weights; 5 rounds."""
    return parse(
        {
            "model": {"source": "demo"},
            "variant": [
                {"name": "baseline"},
                {"name": "int8 weights", "quantization": {"method": "int8_weight_only"}},
                {"name": "int4 weights", "quantization": {"method": "int4_weight_only"}},
            ],
        }
    )
