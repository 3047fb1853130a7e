# `make play` and `make test` install everything that they need; nothing else has to be done first.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# The versions of constraints.txt, also for what builds the package: for that, pip takes the second variable since 25.3,
# and the first one before.
PINNED := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt
INSTALL := $(PINNED) $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help play test test-all test-rest test-newest lint weight check bench proof agents run format texts screenshot art clean

help:
	@echo "make play        play all games in a simulated Discord on a local page; no token, no network"
	@echo "make test        run the tests that every change must pass; takes about four minutes"
	@echo "make test-all    run all tests, with all examples, processes and browsers, and make test-newest; takes 20 minutes"
	@echo "make test-rest   run what make test leaves out"
	@echo "make test-newest run make test once more on the newest Python that is installed, if it is newer"
	@echo "make lint        check style, format and types"
	@echo "make weight      count the lines and files, and compare them with their budgets"
	@echo "make check       run make lint, make weight and make test"
	@echo "make bench       measure speed and memory"
	@echo "make proof       kill and freeze processes that share a database, and check that nothing is lost"
	@echo "make agents      measure how often each agent beats the others"
	@echo "make run         run the real bot, with the settings in .env"
	@echo "make format      put the code into its standard form"
	@echo "make texts       collect the texts for translators"
	@echo "make screenshot  make the README's two pictures from a real match"
	@echo "make art         draw all parts and pictures of all games onto one page"
	@echo "make image-check try the steps of the Dockerfile, and what they make, without Docker"

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Digsite needs Python 3.11 or newer; call make with PYTHON=/path/to/it."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python cannot make virtual environments here; on Debian: apt install python3-venv."; exit 1; }
	@touch $@

$(VENV)/.run: $(VENV)/.made pyproject.toml constraints.txt
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.play: $(VENV)/.made pyproject.toml constraints.txt
	$(INSTALL) --editable '.[play]'
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml constraints.txt
	$(INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.run $(VENV)/.play

play: $(VENV)/.play
	@$(BIN)/python -m bot play $(ARGS)

run: $(VENV)/.run
	@$(BIN)/python -m bot run

# There is a worker more than there are cores (`tests/conftest.py`). A worker that has finished takes over tests from the others.
TEST := $(BIN)/python -m pytest --numprocesses auto --dist worksteal

# Without its cache of bytecode, each worker and each process that a test starts would compile all modules anew.
test test-all test-rest check: export PYTHONDONTWRITEBYTECODE :=
test-all test-rest: export DIGSITE_TESTS := full

test: $(VENV)/.dev
	$(TEST) -m "not system and not exhaustive" $(ARGS)

test-all: $(VENV)/.dev
	$(TEST) $(ARGS)
	@$(MAKE) test-newest

# In a virtual environment of its own, which is named after the Python.
test-newest: $(VENV)/.dev
	@newest=$$($(BIN)/python -m tools.newest_python); \
	  if [ -z "$$newest" ]; then echo "No Python newer than that of $(VENV) is installed."; \
	  else env -u DIGSITE_TESTS $(MAKE) test PYTHON="$$newest" VENV=".venv-$$(basename "$$newest")"; fi

# What `make test` leaves out. `make test test-rest` proves what `make test-all` does, the quick tests once.
test-rest: $(VENV)/.dev
	$(TEST) -m "system or exhaustive or sampled" $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

weight: $(VENV)/.dev
	$(BIN)/python -m tools.weight

check: lint weight test

format: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench $(ARGS)

proof: $(VENV)/.dev
	$(BIN)/python -m tests.proof $(ARGS)

agents: $(VENV)/.dev
	$(BIN)/python -m tests.bench.agents $(ARGS)

texts: $(VENV)/.dev
	$(BIN)/python tools/texts.py

screenshot: $(VENV)/.dev
	$(BIN)/python tools/screenshot.py

art: $(VENV)/.dev
	$(BIN)/python tools/art.py

# Not among the tests: it installs what the image installs.
.PHONY: image-check
image-check: $(VENV)/.dev
	$(BIN)/python -m tools.container_check $(ARGS)

clean:
	rm -rf $(VENV) .venv-python3.* .pytest_cache .ruff_cache .hypothesis build *.egg-info
