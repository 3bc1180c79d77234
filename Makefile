# Two commands on a machine that has only python3 and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: demo test install lock

demo: $(INSTALLED)
	$(BIN)/python -m e2 solve --puzzle puzzles/eternity2.json --seconds 60

test: $(INSTALLED)
	$(BIN)/ruff check e2 tests scripts
	$(BIN)/ruff format --check e2 tests scripts
	$(BIN)/mypy
	@# The examples of the docs are commands of their own: they take the second core.
	@$(BIN)/python -m pytest -q tests/test_docs.py >$(VENV)/docs.log 2>&1 & docs=$$!; \
	$(BIN)/python -m pytest -q --ignore=tests/test_docs.py; status=$$?; \
	wait $$docs || status=1; cat $(VENV)/docs.log; exit $$status

install: $(INSTALLED)

# The lock holds a hash for every package and names no index host, so any mirror will do.
$(INSTALLED): pyproject.toml requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

lock:
	uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-header --no-annotate \
		--python-version 3.11 --output-file requirements.lock
