# The README explains these; everything is set up on first use.
SHELL := /bin/bash
.DEFAULT_GOAL := run
.PHONY: run dev test test-all quick check contract compiled build bench screens operator read-only backup restore lock clean

PYTHON ?= python3
# The Python outside the virtual environment, resolved before PATH puts .venv first.
PYTHON_OUTSIDE := $(shell command -v $(PYTHON))
PORT ?= 3000
export PORT
# Bun, which Reflex would fetch otherwise, is not in the package registries.
export REFLEX_USE_NPM := 1
# Without this list of watched paths, which Granian respects, Reflex rebuilds whenever the database is written to.
WATCHED := rental_app:rxconfig.py:assets/site.css
WORKERS := 3
BY_FILE := --dist loadfile --no-loadscope-reorder
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Keep compiled bytecode whatever the environment says: otherwise every start would recompile the product.
export PYTHONDONTWRITEBYTECODE :=
# Checks run in parallel with the build, and the build with downloads that only the tests need.
MAKEFLAGS += --jobs=2

LOCKED := --quiet --disable-pip-version-check --require-hashes -r
# Use Python's own pip if it has one: installing pip into the virtual environment takes longer than installing uv.
PIP = $(PYTHON_OUTSIDE) -m pip --python .venv/bin/python install $(LOCKED) $(1) \
	|| { .venv/bin/python -m ensurepip >/dev/null && .venv/bin/python -m pip install $(LOCKED) $(1); }
# uv takes seconds where pip takes a minute; where only pip is configured to reach the packages, pip does it.
INSTALL = .venv/bin/uv pip install --quiet --python .venv/bin/python --require-hashes -r $(1) || $(call PIP,$(1))

.venv/bin/uv:
	@test -d .venv || { echo "Making the virtual environment ..."; $(PYTHON) -m venv --without-pip .venv; }
	@awk '/^uv==/ { wanted = 1 } wanted { print } wanted && !/\\$$/ { exit }' requirements-dev.lock > .venv/uv.txt
	@$(call PIP,.venv/uv.txt)

.venv/.runtime: requirements.lock | .venv/bin/uv
	@echo "Installing packages ..."
	@$(call INSTALL,requirements.lock)
	@touch $@

.venv/.development: .venv/.runtime requirements-dev.lock
	@echo "Installing packages for tests ..."
	@$(call INSTALL,requirements-dev.lock)
	@touch $@

# Not `npm ci`, which requests Biome for every platform from the registry, not only for this one.
javascript/node_modules/.package-lock.json: javascript/package-lock.json .venv/.runtime
	@echo "Installing what checks the JavaScript ..."
	@npm install --no-save --prefix javascript --silent --no-audit --no-fund
	@touch $@

# A package of its own, because its generator of types needs an earlier TypeScript.
javascript/contract/node_modules/.package-lock.json: javascript/contract/package-lock.json .venv/.runtime
	@echo "Installing what checks the API's document ..."
	@npm install --no-save --prefix javascript/contract --silent --no-audit --no-fund
	@touch $@

run: .venv/.runtime
	@exec python -m rental_app.serve

dev: .venv/.runtime
	@python -m rental_app.serve --prepare
	@exec env REFLEX_USE_GRANIAN=true REFLEX_HOT_RELOAD_OVERRIDE_PATHS=$(WATCHED) reflex run --env preview --frontend-port $(PORT) --backend-port $(PORT)

build: .venv/.runtime
	@python -c "from rental_app.infrastructure.build import build_pages; build_pages()"

# Redocly would otherwise report its use and look for updates.
contract: export REDOCLY_TELEMETRY := off
contract: export REDOCLY_SUPPRESS_UPDATE_NOTICE := true
contract: .venv/.development javascript/contract/node_modules/.package-lock.json
	@folder=$$(mktemp -d) && trap 'rm -rf "$$folder"' EXIT && export DOCUMENT="$$folder/openapi.json" \
		&& python -c "import json; from rental_app.api import build; print(json.dumps(build().openapi()))" > "$$DOCUMENT" \
		&& { npm run --prefix javascript/contract --silent lint > "$$folder/log" 2>&1 || { cat "$$folder/log"; exit 1; }; }

check: contract .venv/.development javascript/node_modules/.package-lock.json
	@ruff check
	@ruff format --check --quiet
	@mypy --num-workers 2
	@npm run --prefix javascript --silent check
	@npm run --prefix javascript --silent test
	@pytest -q -p no:cacheprovider tests/test_alerts.py

# Once for all workers: otherwise each would rewrite every test's assertions and compile the result.
compiled: .venv/.development
	@pytest --collect-only -qq > /dev/null || pytest --collect-only -qq

# Workers get files in order, so what tests/conftest.py puts last runs last. If there is no Chromium, it is fetched by
# the time they need it.
RUN = python -m tests.support.run -n $(WORKERS) $(BY_FILE)
test: check build compiled
	@python -m tests.support.chromium & $(RUN) -m "not long" $(ARGS)

# What a release needs. From the instants (in India) at which calendars turn, what shows no dates in a browser is not run.
DATES := 2026-11-28T04:00 2026-12-31T23:40 2027-02-28T12:00 2028-02-29T12:00 2028-03-01T00:10
test-all: check build compiled
	@python -m tests.support.chromium & $(RUN) $(ARGS)
	@for at in $(DATES); do echo "From $$at in India"; $(RUN) -m "not long and (not e2e or dates)" --at $$at $(ARGS) || exit 1; done

# What of `make test` needs neither a browser nor PostgreSQL.
quick: compiled build
	@pytest -n 2 $(BY_FILE) --ignore=tests/e2e -m "not postgresql and not long" $(ARGS)

bench: .venv/.development
	@python -m bench.requests
	@python -m bench.sessions
	@python -m bench.availability
	@python -m bench.console
	@python -m bench.pages
	@python -m bench.taps

# Make an operator of EMAIL, and print the link by which they set a password.
operator: .venv/.runtime
	@python -m rental_app.people operator "$(EMAIL)"

# ON="what people are told" lets everybody look around and nobody book or change anything; OFF=1 opens the shop again.
read-only: .venv/.runtime
	@python -m rental_app.people read-only $(if $(OFF),--off,"$(ON)")

# Screenshots of every page for docs/.
screens: .venv/.development
	@python -m bench.screens
	@python -m bench.swatches

# Back up database and files into a new folder below TO while the shop is open; restore FROM where there is no data yet.
# ARGS=--verify only checks the newest backup below TO, or the backup that TO is; ARGS="--keep 14" deletes older ones.
TO ?= backups
backup: .venv/.runtime
	@python -m rental_app.backup $(ARGS) "$(TO)"

restore: .venv/.runtime
	@python -m rental_app.backup --restore "$(FROM)"

# Pin what requirements*.txt require, and all its dependencies, with the hashes of every file. Pins stay unless asked:
# make lock ARGS="--upgrade-package reflex"
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"
lock: .venv/.development
	@$(COMPILE) $(ARGS) requirements.txt -o requirements.lock
	@$(COMPILE) $(ARGS) requirements-dev.txt -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf .web javascript/node_modules javascript/contract/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
