# `make help` lists the targets. Needed: Python 3.11 or newer with pip; name another one with PYTHON=...
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

.PHONY: help demo test e2e bench fmt
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -E '^[a-z.0-9]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: $(READY) ## set up, fetch the model if it can be had, then show the main job on a sample
	@$(BIN)/memoranda models fetch || echo "No model could be fetched: the demo goes on with words only."
	@echo
	@$(BIN)/memoranda demo

test: $(READY) ## set up, then format, lint, types, import contracts, repository checks, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python scripts/check_sizes.py
	$(BIN)/python scripts/generate_reference.py --check
	$(BIN)/python scripts/check_docs.py
	$(BIN)/pytest -q -n 2

e2e: $(READY) ## the slow proofs: killed writers, many processes on one file
	$(BIN)/pytest -m slow

bench: $(READY) ## measure speed and size; `memoranda bench recall` measures recall on a data set of yours
	@$(BIN)/memoranda bench speed

fmt: $(READY) ## format, repair what lint can repair, write docs/reference anew
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix-only .
	$(BIN)/python scripts/generate_reference.py

# Done anew only when one of these two files has changed. Some systems ship Python without the installer for
# virtual environments; there the system's own pip installs into .venv.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "memoranda needs Python 3.11 or newer, but '$(PYTHON)' is: $$($(PYTHON) --version 2>&1)"; \
		echo "Name another one, for example: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Setting up .venv (once; a minute or so) ..."
	@$(PYTHON) -m venv .venv >/dev/null 2>&1 || $(PYTHON) -m venv --clear --without-pip .venv
	@if $(BIN)/python -m pip --version >/dev/null 2>&1; then $(BIN)/python -m pip $(INSTALL); \
		else $(PYTHON) -m pip --python $(BIN)/python $(INSTALL); fi
	@touch $@

INSTALL := --disable-pip-version-check -qq install -e '.[dev,embed,http,tokens]' -c constraints.txt
