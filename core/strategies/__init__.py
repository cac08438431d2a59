"""Every strategy, found by importing the files of this folder. One slot per file; no registration by hand."""

from importlib import import_module
from pkgutil import iter_modules

from core.strategies.base import REGISTRY, SLOTS, Strategy, UnknownStrategy

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["REGISTRY", "SLOTS", "Strategy", "UnknownStrategy"]
