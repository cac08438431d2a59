"""All strategies, found by importing the files of this folder: one file or folder per slot, without registration by
hand."""

from importlib import import_module
from pkgutil import walk_packages

for _module in walk_packages(__path__, f"{__name__}."):
    import_module(_module.name)
