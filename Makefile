# make run: play.  make test: everything.  make bench: the figures.  Each sets up .venv first.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
MYPY := rules render db cogs bot.py sandbox

.PHONY: setup run test lint bench format clean

setup: $(STAMP)

$(STAMP): requirements.txt requirements-dev.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $(STAMP)

run: setup
	@$(BIN)/python bot.py

lint: setup
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy $(MYPY)

test: lint
	@$(BIN)/python -m pytest -n 2

bench: setup
	@$(BIN)/python -m tests.bench

format: setup
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache
