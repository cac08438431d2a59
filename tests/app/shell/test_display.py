"""Without a display, or without Qt's libraries: what is said, and what is run instead."""

from app import __main__
from app.shell import display_check

LINUX = "linux"


def test_no_display_on_linux_only():
    assert not display_check.has_display({}, LINUX)
    assert display_check.has_display({"DISPLAY": ":0"}, LINUX)
    assert display_check.has_display({"WAYLAND_DISPLAY": "wayland-0"}, LINUX)
    assert display_check.has_display({"QT_QPA_PLATFORM": "offscreen"}, LINUX)
    assert display_check.has_display({}, "darwin")
    assert display_check.has_display({}, "win32")


def test_missing_libraries_are_named_with_the_line_that_installs_them():
    here = {"libxcb-cursor.so.0", "libEGL.so.1"}
    missing = display_check.missing_libraries({"DISPLAY": ":0"}, LINUX, lambda name: name not in here)
    assert set(missing) == here
    said = display_check.complaint(missing)
    assert "libxcb-cursor.so.0" in said
    assert "libxcb-cursor0" in said
    assert display_check.install_line(list(missing.values()), {"dnf": "/usr/bin/dnf"}.get) == (
        "sudo dnf install libglvnd-egl xcb-util-cursor"
    )


def test_wayland_and_offscreen_need_no_xcb():
    for environ in ({"WAYLAND_DISPLAY": "w", "DISPLAY": ":0"}, {"QT_QPA_PLATFORM": "offscreen"}):
        missing = display_check.missing_libraries(environ, LINUX, lambda name: False)
        assert set(missing) == set(display_check.BASE)


def test_without_a_display_the_demo_runs_in_the_terminal(monkeypatch, capsys):
    asked = []
    monkeypatch.setattr("core.cli.main.main", lambda argv: asked.append(argv) or 0)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(display_check.sys, "platform", LINUX)
    monkeypatch.setattr(display_check.has_display, "__defaults__", (__import__("os").environ, LINUX))
    assert __main__.main([]) == 0
    assert asked == [["demo"]]
    assert "no display" in capsys.readouterr().err


def test_arguments_go_to_the_command_line(monkeypatch):
    asked = []
    monkeypatch.setattr("core.cli.main.main", lambda argv: asked.append(argv) or 3)
    assert __main__.main(["show", "x"]) == 3
    assert asked == [["show", "x"]]


def test_a_folder_that_the_environment_names_wrongly_is_said_before_there_is_a_window(monkeypatch, capsys):
    monkeypatch.setenv("DYNO_CACHE", "~nobody-of-that-name/cache")
    assert __main__.main([]) == 2
    assert capsys.readouterr().err.startswith("DYNO_CACHE=~nobody-of-that-name/cache: cannot be used: ")
