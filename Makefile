# Everything runs in .venv, which any target makes on its own.
PYTHON ?= python3
BIN := .venv/bin
ARGS ?=
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
LOCK := CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe \
	--strip-extras --no-annotate --no-emit-options \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

# Else every server and player process of the tests would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup serve test prove bench coverage league fresh lint release lock clean

setup: .venv/ready
serve: setup
	$(BIN)/mudserver serve $(ARGS)
# Four workers on two cores: some tests wait.
test: lint
	$(BIN)/pytest -n 4 --dist worksteal -rs $(ARGS)
prove: .venv/released
	$(BIN)/pytest -m "prove and alone" -rP --show-capture=stdout $(ARGS) || [ $$? -eq 5 ]  # none
	$(BIN)/pytest -n 2 --dist worksteal -m "prove and not alone" -rP --show-capture=stdout $(ARGS)
bench: .venv/tested
	$(BIN)/python -m tests.bench $(ARGS)
coverage: .venv/tested
	$(BIN)/python -m tests.own_coverage $(ARGS)
league: .venv/tested
	$(BIN)/python -m tests.bench.league $(ARGS)
fresh: .venv/released
	$(BIN)/python -m tests.fresh $(ARGS)
lint: .venv/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
release: .venv/released
	rm -rf dist
	$(BIN)/python -m release.build dist
lock: .venv/released
	$(LOCK) $(ARGS) -o requirements.txt pyproject.toml
	$(LOCK) $(ARGS) -o requirements-build.txt --only-build-deps --build-deps-for editable pyproject.toml
	echo build cyclonedx-bom pip-tools | tr ' ' '\n' \
		| $(LOCK) $(ARGS) -c requirements-test.txt -o requirements-release.txt -

.venv/ready: requirements.txt requirements-build.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r requirements.txt -r requirements-build.txt
	$(PIP) --no-deps --no-build-isolation --editable .
	touch $@
.venv/tested: .venv/ready requirements-test.txt
	$(PIP) -r requirements-test.txt
	touch $@
.venv/released: .venv/tested requirements-release.txt
	$(PIP) --require-hashes -r requirements-release.txt
	touch $@
clean:
	rm -rf .venv dist
