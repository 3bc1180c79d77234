# Two commands on a machine that has only python3 and make: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
SECOND := tests/test_docs.py tests/kernels tests/search tests/web

.PHONY: demo test test-most test-second install lock

demo: $(INSTALLED)
	$(BIN)/python -m e2 solve --puzzle puzzles/eternity2.json --seconds 60

test: $(INSTALLED)
	$(BIN)/ruff check e2 tests scripts
	$(BIN)/ruff format --check e2 tests scripts
	$(BIN)/mypy
	@# Two halves that take about as long, one a core.
	@$(MAKE) --no-print-directory --keep-going --jobs 2 test-most test-second

test-most:
	@$(BIN)/python -m pytest -q $(addprefix --ignore=,$(SECOND))

test-second:
	@$(BIN)/python -m pytest -q $(SECOND) >$(VENV)/second.log 2>&1; status=$$?; cat $(VENV)/second.log; exit $$status

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
