"""What a model keeps of its past: keys, values, states, prefixes."""
