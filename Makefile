# Everything runs in .venv, which any target makes on its own.
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
PIP := $(BIN)/pip install --quiet --disable-pip-version-check

.PHONY: setup serve test prove bench coverage league fresh lint clean

setup: .venv/ready
serve: setup
	$(BIN)/mudserver serve $(ARGS)
test: lint
	$(BIN)/pytest -n 2 --dist worksteal -rs $(ARGS)
prove: .venv/tested
	$(BIN)/pytest -n 2 -m prove -rP --show-capture=stdout $(ARGS)
bench: .venv/tested
	$(BIN)/python -m tests.bench $(ARGS)
coverage: .venv/tested
	$(BIN)/python -m tests.own_coverage $(ARGS)
league: .venv/tested
	$(BIN)/python -m tests.bench.league $(ARGS)
fresh: .venv/tested
	$(BIN)/python -m tests.fresh $(ARGS)
lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

.venv/ready: requirements.txt requirements-build.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements.txt -r requirements-build.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@
.venv/tested: .venv/ready requirements-test.txt
	$(PIP) -r requirements-test.txt
	touch $@
clean:
	rm -rf .venv build *.egg-info
