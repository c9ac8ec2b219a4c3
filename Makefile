# Two commands for newcomers: `make demo` and `make test`. Everything lives in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test bench lint clean

$(VENV)/.installed: pyproject.toml constraints.txt
	@echo "Preparing $(VENV) (about a minute the first time)…" >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]' >&2
	@touch $@

demo: $(VENV)/.installed
	@$(BIN)/oraculo --config deploy/demo.toml ingest >&2
	@$(BIN)/oraculo --config deploy/demo.toml chat

lint: $(VENV)/.installed
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy

test: lint
	$(BIN)/pytest -n 2

bench: $(VENV)/.installed
	$(BIN)/python -m tests.benchmarks

clean:
	rm -rf $(VENV) .oraculo
