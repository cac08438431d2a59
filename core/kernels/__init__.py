"""The building blocks of strategies: Linears, caches, decoders, sampling, pruning. Imports torch at module level, so it
is imported only inside a strategy's hooks and by the engine."""
