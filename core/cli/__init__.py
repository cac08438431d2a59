"""The commands of `dyno` that outgrew `core.cli.main`: one file per group, each adds itself to the parser."""
