"""Inspects a loaded model and replaces parts of it: Linears, the head, storage sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn
from transformers import PreTrainedModel
from transformers.pytorch_utils import Conv1D

HOST = torch.device("cpu")


def linears(model: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Yield every plain Linear by name, GPT-2's Conv1D (a Linear with a transposed weight) included."""
    for name, module in model.named_modules():
        if is_linear(module):
            yield name, module


def is_linear(module: nn.Module) -> bool:
    """Return whether a module is a Linear or Conv1D and nothing more, so that a layer with the same weights can replace
    it. A class of its own may qualify (Falcon's); a quantized layer, an adapter or a router does not. Other classes are
    tested by their outputs."""
    if type(module) is nn.Linear or isinstance(module, Conv1D):
        return True
    if not isinstance(module, nn.Linear) or not _is_plain(module):
        return False
    if module not in _known:
        _known[module] = _multiplies(module)
    return _known[module]


_known: WeakKeyDictionary[nn.Module, bool] = WeakKeyDictionary()


def _is_plain(linear: nn.Linear) -> bool:
    """Return whether the layer holds a weight [N, K] of an ordinary type, perhaps a bias, and nothing else."""
    tensors: dict[str, Tensor] = dict([*linear.named_parameters(), *linear.named_buffers()])
    weight = tensors.pop("weight", None)
    tensors.pop("bias", None)
    return (
        not tensors
        and weight is not None
        and type(weight) is nn.Parameter
        and weight.is_floating_point()
        and weight.element_size() > 1
        and weight.shape == (linear.out_features, linear.in_features)
    )


@torch.no_grad()
def _multiplies(linear: nn.Linear) -> bool:
    """Return whether the outputs are x·Wᵀ + b, for small and large inputs."""
    weight = linear.weight
    if weight.device.type == "meta":
        return True
    steps = torch.linspace(-1, 1, 3 * linear.in_features, device=weight.device).reshape(3, -1)
    x = (steps.sin() * torch.tensor([[1e-2], [1.0], [30.0]], device=weight.device)).to(weight.dtype)
    try:
        found, wanted = linear(x), nn.functional.linear(x, weight, linear.bias)
    except Exception:  # it takes something else than a Linear does
        return False
    if not isinstance(found, Tensor) or found.shape != wanted.shape:
        return False
    scale = wanted.float().abs().amax(1, keepdim=True)
    return bool(((found.float() - wanted.float()).abs() <= (1e-5 if weight.element_size() > 2 else 3e-2) * scale).all())


def linear_like(model: nn.Module) -> dict[str, nn.Module]:
    """Return every layer that maps K inputs to N outputs by a weight, quantized or not."""
    return {
        name: module
        for name, module in model.named_modules()
        if is_linear(module)
        or (isinstance(module, nn.Linear) and not _is_plain(module))
        or (
            not isinstance(module, nn.Linear)
            and isinstance(getattr(module, "in_features", None), int)
            and isinstance(getattr(module, "out_features", None), int)
        )
    }


def submodule(model: nn.Module, name: str) -> nn.Module | None:
    """Return the module of that name, or None."""
    try:
        return model.get_submodule(name)
    except AttributeError:
        return None


def shape(module: Any) -> tuple[int, int]:
    """Return (N outputs, K inputs) of a layer from `linear_like`."""
    if isinstance(module, Conv1D):
        return module.nf, module.weight.shape[0]
    return module.out_features, module.in_features


def as_linear(module: nn.Module) -> nn.Linear:
    """Return the module itself, or an nn.Linear on the same weights for a Conv1D."""
    if isinstance(module, nn.Linear):
        return module
    if not isinstance(module, Conv1D):
        raise TypeError(f"{type(module).__name__} is not a Linear")
    k, n = module.weight.shape
    linear = nn.Linear(k, n, bias=False, device="meta")
    linear.weight = nn.Parameter(module.weight.detach().T, requires_grad=False)
    linear.bias = nn.Parameter(module.bias.detach(), requires_grad=False)
    return linear


def replace_linears(
    model: nn.Module,
    make: Callable[[str, nn.Linear], nn.Module],
    skip: Mapping[str, str],
    device: torch.device = HOST,
) -> tuple[list[str], dict[str, str]]:
    """Replace every Linear by `make(name, linear)`, one at a time, so that only one exists twice. `skip` maps names to
    the reason for leaving them out; a ValueError of `make` is a reason too. A layer on the host is moved to `device`
    before it is replaced. Returns the replaced names, and the reasons of the others by name."""
    skip = {**bypassed(model), **skip}
    replaced: list[str] = []
    left_out: dict[str, str] = {}
    for name in [name for name, _ in linears(model)]:  # names alone: a list of layers would keep all of them
        if name in skip:
            left_out[name] = skip[name]
            continue
        try:
            with torch.no_grad():
                new = make(name, _on(device, as_linear(model.get_submodule(name))))
        except ValueError as error:
            left_out[name] = str(error)
            continue
        model.set_submodule(name, new.eval())
        replaced.append(name)
    return replaced, left_out


def _on(device: torch.device, linear: nn.Linear) -> nn.Linear:
    """Return the layer on the device, if it was on the host; one on another card stays there."""
    if device == HOST or linear.weight.device != HOST:
        return linear
    moved = nn.Linear(linear.in_features, linear.out_features, bias=False, device="meta")
    for name, tensor in linear.named_parameters():
        moved.register_parameter(name, nn.Parameter(tensor.detach().to(device), requires_grad=False))
    return moved


def finish_on(model: nn.Module, device: torch.device) -> None:
    """Move what of a model is still on the host to the device: embeddings, norms, layers that nothing replaced."""
    if device != HOST and any(tensor.device == HOST for tensor in [*model.parameters(), *model.buffers()]):
        model.to(device)


@torch.no_grad()
def bypassed(model: nn.Module) -> dict[str, str]:
    """Return the Linears that a pass does not call although it runs the module around them, with the reason. That
    module reads their weight itself (as Mamba's mixer does with dt_proj), so nothing can replace them."""
    if not isinstance(model, PreTrainedModel):
        return {}
    modules, called = dict(model.named_modules()), set()
    owners = {name: name.rpartition(".")[0] for name, _ in linears(model)}
    lists = (nn.ModuleList, nn.ModuleDict)  # whose members a module may choose from: one that is not called is idle
    owners = {name: owner for name, owner in owners.items() if not isinstance(modules[owner], lists)}
    watched = {*owners, *owners.values()}
    handles = [
        modules[name].register_forward_pre_hook(lambda _module, _args, name=name: called.add(name)) for name in watched
    ]
    try:
        model(torch.tensor([[1, 2, 3, 4]], device=next(model.parameters()).device), use_cache=False)
    finally:
        for handle in handles:
            handle.remove()
    return {
        name: f"{type(modules[owner]).__name__} reads its weight by itself, so nothing can take its place"
        for name, owner in owners.items()
        if owner in called and name not in called
    }


def head_name(model: Any) -> str | None:
    """Return the module name of the output head."""
    head = model.get_output_embeddings()
    return next((name for name, module in model.named_modules() if module is head), None)


def untie_head(model: Any) -> bool:
    """Give the head its own copy of a weight shared with the embedding; return whether it was shared."""
    head, embedding = model.get_output_embeddings(), model.get_input_embeddings()
    if head is None or head.weight is not embedding.weight:
        return False
    head.weight = nn.Parameter(head.weight.detach().clone(), requires_grad=False)
    model.config.get_text_config(decoder=True).tie_word_embeddings = False
    model.config.tie_word_embeddings = False
    return True


def decoder_layers(model: Any) -> tuple[str, nn.ModuleList]:
    """Return the name and the list of the transformer layers. Raises ValueError without such a list."""
    count = model.config.get_text_config(decoder=True).num_hidden_layers
    for name, module in model.named_modules():
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return name, module
    raise ValueError(f"{type(model).__name__} has no list of {count} layers")


def embedding_rows(model: Any) -> int | None:
    """Return the number of ids that the model's embedding has a vector for; None if unknown."""
    found = getattr(model, "get_input_embeddings", lambda: None)()
    return getattr(found, "num_embeddings", None)


def parameter_count(model: nn.Module) -> int:
    """Return the number of weights and biases, a quantized layer counted by its shape and shared ones once."""
    layers = linear_like(model)
    others = {
        id(p): p.numel()
        for name, module in model.named_modules()
        if name not in layers
        for p in module.parameters(recurse=False)
    }
    count = sum(others.values())
    for module in layers.values():
        n, k = shape(module)
        count += n * k if id(getattr(module, "weight", None)) not in others else 0  # a head tied to the embedding
        count += n if getattr(module, "bias", None) is not None else 0
    return count


def storage_bytes(model: nn.Module) -> int:
    """Return the bytes of the storage behind all parameters and buffers, inner tensors of quantized wrappers included
    and shared ones once."""
    storages: dict[tuple[torch.device, int], int] = {}
    for tensor in _tensors(model):
        if tensor.device.type == "meta":
            continue
        storage = tensor.untyped_storage()
        storages[(tensor.device, storage.data_ptr())] = storage.nbytes()
    return sum(storages.values())


def _tensors(model: nn.Module) -> Iterator[Tensor]:
    for tensor in [*model.parameters(), *model.buffers()]:
        yield from _plain(tensor)
        yield from _inside(list(getattr(tensor, "__dict__", {}).values()))
    for module in model.modules():
        # bitsandbytes keeps its statistics in plain attributes: MatmulLtState, QuantState.
        yield from _inside([getattr(module, "state", None), getattr(module, "quant_state", None)])


def _plain(tensor: Tensor) -> Iterator[Tensor]:
    """Yield the tensors that hold the data: a wrapper subclass has no storage of its own, and may hold other
    wrappers."""
    if hasattr(tensor, "__tensor_flatten__"):
        names, _ = tensor.__tensor_flatten__()
        for name in names:
            yield from _plain(getattr(tensor, name))
    else:
        yield tensor


def _inside(values: list[Any], depth: int = 3) -> Iterator[Tensor]:
    """Yield the tensors among values and in the attributes of bitsandbytes' state objects."""
    for value in values:
        if isinstance(value, Tensor):
            yield from _plain(value)
        elif depth and type(value).__module__.startswith("bitsandbytes") and not isinstance(value, nn.Module):
            yield from _inside(list(vars(value).values()), depth - 1)
