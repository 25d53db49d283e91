PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := deploy/requirements-dev.txt

# Bytecode is kept, whatever the environment says: forty processes import the same modules.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup test types suite format demo lock bench-ingest bench-read bench-review bench-stale

setup: $(VENV)/.installed

$(VENV)/.installed: $(LOCK) pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or later is needed; name one with PYTHON=…" >&2; exit 1; }
	@echo "Installing what $(LOCK) pins into $(VENV): half a minute, once"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --no-compile --no-deps --require-hashes -r $(LOCK)
	$(BIN)/pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

test: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/memoryrail-bot check
	$(BIN)/memoryrail-bot sync --check
	$(BIN)/python deploy/browser.py  # the tests of the sandbox's page need one
	@$(MAKE) --no-print-directory -j2 types suite

types: setup
	$(BIN)/mypy

suite: setup
	$(BIN)/pytest -n 3 --dist worksteal  # on two cores: some of them wait for a server to stop

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: vectors fuzz
vectors: setup
	@$(BIN)/python -m tests.vectors $(DIR)

fuzz: N ?= 1000000
fuzz: setup
	$(BIN)/python -m tests.fuzz $(N) $(SEED)

.PHONY: chaos
chaos: N ?= 1000
chaos: PULLS ?= 100
chaos: KILLS ?= 50
chaos: FAULTS ?= 5
chaos: setup
	@$(BIN)/python -m tests.chaos --deliveries $(N) --pulls $(PULLS) --kills $(KILLS) --faults $(FAULTS) \
	  $(if $(SEED),--seed $(SEED)) $(if $(DATABASE),--database $(DATABASE)) $(if $(SABOTAGE),--sabotage $(SABOTAGE))

demo: setup
	$(BIN)/memoryrail-bot demo

bench-ingest: setup
	$(BIN)/python -m tests.bench.ingest

.PHONY: bench-cursor
bench-cursor: setup
	$(BIN)/python -m tests.bench.cursor

.PHONY: bench-jumpybrain
bench-jumpybrain: setup
	$(BIN)/python -m tests.bench.jumpybrain

bench-read: setup
	$(BIN)/python -m tests.bench.read

bench-review: setup
	$(BIN)/python -m tests.bench.review

bench-stale: setup
	$(BIN)/python -m tests.bench.stale

# Peers of the search for secrets, for this comparison alone: secretlint where npm is there.
PEERS := $(VENV)/peers
.PHONY: bench-secrets
bench-secrets: setup
	@test -x $(PEERS)/bin/gitleaks || { $(PYTHON) -m venv $(PEERS) && \
	  $(PEERS)/bin/pip install --quiet -r tests/bench/secrets_peers.txt; }
	@test -d $(PEERS)/node_modules || ! command -v npm >/dev/null || npm install --silent --prefix $(PEERS) \
	  secretlint@13 @secretlint/secretlint-rule-preset-recommend@13
	@$(BIN)/python -m tests.bench.secrets

# With DATA, a folder of decision records and changes: what precheck finds. Without: how fast it is.
.PHONY: bench-precheck
bench-precheck: OUT ?= predictions.jsonl
bench-precheck: setup
	@$(if $(DATA),$(BIN)/python -m tests.bench.precheck "$(DATA)" --out "$(OUT)" $(ARGS),$(BIN)/python -m tests.bench.precheck_speed)

# Pin anew what the bounds in pyproject.toml allow today: hashes for every supported platform.
lock:
	$(PYTHON) -m venv $(VENV)/lock && $(VENV)/lock/bin/pip install --quiet uv
	$(VENV)/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-strip-extras \
	  --upgrade pyproject.toml -o deploy/requirements.txt
	$(VENV)/lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-strip-extras \
	  --upgrade --extra sandbox --group dev --constraint deploy/requirements.txt pyproject.toml -o $(LOCK)
