"""The size of a model in memory before it is loaded: sizes that strategies change, and the bytes that follow."""

from __future__ import annotations

from core.base.value import Value

MIB = 1 << 20
#: oneDNN keeps the code that it has made for each shape of a product in bf16, as many as these, until the process ends
#: (ONEDNN_PRIMITIVE_CACHE_CAPACITY). Measured, torch 2.13 on AVX-512-BF16: 0.55 to 0.68 MiB resident for each, the same
#: for 1 to 512 rows, for Linears and for matrix products; none in fp32.
KERNEL_BYTES = round(0.64 * MIB)
KERNELS_KEPT = 1024


class Allowance(Value):
    """Resident bytes that cannot be known beforehand: the smallest and largest measured values, and the likely one."""

    least: int
    likely: int
    most: int

    @classmethod
    def mib(cls, least: float, likely: float, most: float) -> Allowance:
        return cls(least=round(least * MIB), likely=round(likely * MIB), most=round(most * MIB))


class Footprint(Value):
    """The sizes of a model that a variant's strategies change.

    `element` is the bytes of a plain weight. `body_bits` and `head_bits` are per weight of the layers' Linears and of
    the output head, if these are quantized. `stored` is the bytes of all weights, if a file states them. `beside` is
    the bytes of a draft model's weights, `beside_kv` those of its cache.

    Of the `layers`, `uncached` have no rows (linear attention, or keys of another layer), and `sliding` keep the last
    `window` positions. `row` is the elements that a layer caches per position (0: keys and values of all heads).
    `state` is the elements that all layers keep of a request, whatever its length.

    A cache allocated at once has a `bucket`: it holds `tokens` + `room` positions, rounded up to a multiple of
    `bucket`. With room to roll back into, its sliding layers keep all positions too. `scratch` is what a prompt's pass
    holds beside its activations.

    `kernels` counts products of shapes that plain decoding lacks, `growing` those whose shape follows the cache's
    length: each has code of its own if computed in bf16. `allowances` are those of libraries and compilers, by name.
    """

    layers: int = 0
    hidden: int = 0
    intermediate: int = 0
    heads: int = 0
    kv_heads: int = 0
    head_dim: int = 0
    body: int = 0  # weights that are neither embedding nor head
    expert_share: float = 0  # of the body: experts of a mixture
    experts_kept: bool = False  # the format of the body goes past them, as was asked for
    embedding: int = 0
    tied: bool = False
    element: float = 4
    bf16: bool = False
    body_bits: float | None = None
    head_bits: float | None = None
    kv_bits: float | None = None
    prompt_tokens: int = 0
    new_tokens: int = 0
    tokens: int = 0  # of a whole request, as far as a cache keeps them
    requests: int = 1  # at once
    stored: int | None = None
    beside: int = 0
    beside_kv: int = 0
    uncached: int = 0
    sliding: int = 0
    window: int = 0
    row: int = 0
    state: int = 0
    room: int = 0
    bucket: int = 0
    scratch: int = 0
    kernels: int = 0
    growing: int = 0
    allowances: dict[str, Allowance] = {}

    @property
    def weights_bytes(self) -> int:
        if self.stored is not None:
            return self.stored + self.beside
        linear = self.element if self.body_bits is None else self.body_bits / 8
        kept = self.expert_share if self.experts_kept else 0.0
        body = self.body * (kept * self.element + (1 - kept) * linear)
        if self.head_bits is not None:  # a head that is changed has weights of its own
            head = self.embedding * self.head_bits / 8
        else:
            head = 0 if self.tied else self.embedding * self.element
        return round(body + head + self.embedding * self.element) + self.beside

    @property
    def kv_bytes(self) -> int:
        """2·kv_heads·head_dim·bytes per position and layer, for layers with a cache."""
        if not self.tokens:
            return self.beside_kv
        whole = -(-(self.tokens + self.room) // self.bucket) * self.bucket if self.bucket else self.grown
        slides = 0 if self.bucket and self.room else self.sliding
        sliding = slides * min(whole, self.window)
        full = max(0, self.layers - self.uncached - slides) * whole
        bits = 8 * self.element if self.kv_bits is None else self.kv_bits
        # A cache of another kind (quantized) is that of the layers of full attention.
        per_position = (self.row or 2 * self.kv_heads * self.head_dim) * self.requests
        state = self.state * self.requests * self.element
        return round(per_position * (full * bits / 8 + sliding * self.element) + state) + self.beside_kv

    @property
    def grown(self) -> int:
        """The final positions of a growing cache; the last token is never fed."""
        return max(0, self.tokens - 1)

    @property
    def own_cache(self) -> Footprint:
        """The same model with a growing cache of its own, as a draft model has."""
        return self.model_copy(update={"bucket": 0, "room": 0, "kv_bits": None, "beside_kv": 0})

    @property
    def activation_bytes(self) -> int:
        """The bytes of a prompt's pass: a few rows of hidden and MLP size per token, and a row of logits per
        request."""
        width = 6 * self.hidden + 3 * self.intermediate
        vocabulary = self.embedding // self.hidden if self.hidden else 0
        return round(self.prompt_tokens * width * self.element) + 4 * vocabulary * self.requests + self.scratch

    @property
    def linears(self) -> int:
        """The number of different product shapes in the body's plain Linears: q and o, k and v, gate and up, down; 0
        for formats with kernels of their own."""
        if self.body_bits is not None:
            return 0
        return 3 if self.heads == self.kv_heads else 4

    @property
    def kernel_bytes(self) -> int:
        if not self.bf16:
            return 0
        lengths = 1 if self.bucket else self.new_tokens  # a cache that is allocated at once has one
        return min(KERNELS_KEPT, self.kernels + self.growing * lengths) * KERNEL_BYTES

    def with_kernels(self, count: int) -> Footprint:
        return self.model_copy(update={"kernels": self.kernels + count})

    def allowing(self, name: str, allowance: Allowance) -> Footprint:
        """Return the footprint with a library's allowance; a name counts once."""
        return self.model_copy(update={"allowances": {**self.allowances, name: allowance}})
