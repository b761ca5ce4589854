# Thin front for people; the build itself is CMake (CMakePresets.json). Try `make help`.
.PHONY: build demo check test asan tsan fuzz attack coverage bench format lint install clean help
.NOTPARALLEL:

PREFIX ?= /usr/local
DATA = $(or $(TERTIUM_DATA),../shared/data)
note_data = @test -d "$(DATA)" || echo "note: no data sets at $(DATA): tests on real data are" \
  "skipped. Provide them with TERTIUM_DATA=DIR"

build: ## build the command line: build/tertium (the default)
	tools/setup --build
	cmake --preset release
	cmake --build --preset release --target tertium_cli

demo: build ## build, then run examples/demo.sh
	examples/demo.sh

check: ## the daily loop: build, C++ and Python tests, order of the stages
	tools/setup
	$(note_data)
	cmake --preset release
	cmake --build --preset release
	ctest --preset check

test: asan tsan ## everything: both sanitizer builds first, then release with every check
	cmake --preset release
	cmake --build --preset release
	ctest --preset release

asan: ## all tests under the address and undefined-behaviour sanitizers
	tools/setup
	$(note_data)
	cmake --preset asan
	cmake --build --preset asan
	ctest --preset asan

tsan: ## tests of what runs in several threads under the thread sanitizer
	tools/setup
	cmake --preset tsan
	cmake --build --preset tsan
	ctest --preset tsan

SECONDS = 60
fuzz: ## look for inputs that break a reader, SECONDS=60 for each: make fuzz SECONDS=600
	tools/setup
	cmake --preset fuzz
	cmake --build --preset fuzz
	.venv/bin/python tools/fuzz.py --seconds $(SECONDS) $(TARGETS)

ATTACKS = $(patsubst %,tests/cli/test_%.py,forgeries resources transport text whole_outputs metamorphic)
attack: ## the long versions of the adversarial tests, then mutations of the mathematics
	tools/setup
	cmake --preset release
	cmake --build --preset release
	TERTIUM_ATTACK=1 .venv/bin/python -m pytest -q -n auto --dist worksteal $(ATTACKS)
	TERTIUM_ATTACK=1 build/tertium_tests --gtest_filter='*Forger*:Verify*:Certify*'
	.venv/bin/python tools/mutate.py

coverage: ## print which lines of tertium/ and cli/ the tests run
	tools/setup --coverage
	$(note_data)
	cmake --preset coverage
	cmake --build --preset coverage
	find build/coverage -name '*.gcda' -delete
	ctest --preset coverage
	.venv/bin/gcovr --filter tertium/ --filter cli/ --txt-metric line -j 2 build/coverage

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
