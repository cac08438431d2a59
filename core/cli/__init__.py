"""The commands of `dyno` that outgrew `core.__main__`: one file per group, each adds itself to the parser."""
