# Two commands matter: `make demo` and `make test`. Both set up .venv on first use.
PYTHON ?= python3
BIN := .venv/bin
export PYTHONDONTWRITEBYTECODE :=
export OMP_NUM_THREADS := 1
export OPENBLAS_NUM_THREADS := 1

# `make browser` is what needs the system's Chromium: pages, and the workbench as judges use it.
.PHONY: demo test browser long check bench calibration load fuzz docs clean

demo: .venv/report
	@$(BIN)/quorate demo
	@command -v quorate >/dev/null || echo "      source .venv/bin/activate    first, so that quorate is at hand"

test: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist loadfile --ignore tests/browser

browser: .venv/dev
	$(BIN)/python -m pytest -n auto --dist loadfile tests/browser

long: .venv/dev
	HYPOTHESIS_PROFILE=long $(BIN)/python -m pytest -n auto --dist loadfile

check: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m bench

calibration: .venv/dev
	$(BIN)/python -m tests.calibration --write

JUDGES ?= 200
load: .venv/dev
	$(BIN)/python -m tests.load --judges $(JUDGES)

SECONDS ?= 60
fuzz: .venv/dev
	$(BIN)/python -m tests.fuzz --seconds $(SECONDS)

docs: .venv/docs
	$(BIN)/python docs/generate.py
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

clean:
	rm -rf .venv build dist docs/_build quorate-demo .mypy_cache .ruff_cache .hypothesis .pytest_cache .calibration

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "Quorate needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	$(PYTHON) -m venv .venv

.venv/report: .venv/bin/python pyproject.toml constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[report]'
	@touch $@

.venv/docs: .venv/report
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[tables,text,report,docs]'
	@touch $@

.venv/dev: .venv/report
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch .venv/docs $@
