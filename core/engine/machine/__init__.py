"""The machine as the engine sees it: probes, samples, limits."""
