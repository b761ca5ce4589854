# Thin front for people; the build itself is CMake (CMakePresets.json). Try `make help`.
.PHONY: build demo test bench format lint install clean help
.NOTPARALLEL:

PREFIX ?= /usr/local

build: ## build the command line: build/tertium (the default)
	tools/setup --build
	cmake --preset release
	cmake --build --preset release --target tertium_cli

demo: build ## build, then run examples/demo.sh
	examples/demo.sh

test: ## build and test all: sanitizers first, then release with every check
	tools/setup
	@test -d "$${TERTIUM_DATA:-../shared/data}" || echo "note: no data sets at $${TERTIUM_DATA:-../shared/data}:" \
	  "tests on real data are skipped. Provide them with TERTIUM_DATA=DIR"
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan
	cmake --preset release
	cmake --build --preset release
	ctest --preset release

bench: ## run the benchmarks; options for bench/run.py go in ARGS="..."
	tools/setup --bench
	cmake --preset release
	cmake --build --preset release
	.venv/bin/python bench/run.py $(ARGS)

format: ## bring all C++ and Python sources into format
	tools/setup
	.venv/bin/python tools/format.py --fix

lint: ## run the static checks only
	tools/setup
	cmake --preset release
	ctest --preset release -L lint

install: build ## install under PREFIX, /usr/local unless given: make install PREFIX=~/.local
	cmake --install build --prefix "$(PREFIX)"

clean: ## remove all build output (keeps .venv)
	rm -rf build

help: ## show this list
	@sed -n 's/^\([a-z]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 10
