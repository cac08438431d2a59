"""The commands of `dyno`: one file per group of commands."""
