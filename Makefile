# Every job of the project. `make help` lists them.
.DEFAULT_GOAL := help
.PHONY: help test laboratory test-laboratory bench-laboratory test-python test-interop test-cluster wheel docs bench-python bench-device examples test-cuda test-microcontroller test-parquet test-identification lint bench bench-peers instructions peers reproduce soak bench-controller soak-controller fuzz clean

CARGO ?= cargo
# nextest runs all tests side by side; cargo's own runner, where that is missing, one binary after the other.
RUN_TESTS := $(shell $(CARGO) nextest --version > /dev/null 2>&1 && echo nextest run --no-fail-fast || echo test --no-fail-fast --lib --bins --tests)

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-19s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

test: ## unit, golden, property, command-line and doc tests, the examples, the Python package, a core of the laboratory
	$(CARGO) $(RUN_TESTS) --workspace
	$(CARGO) test --workspace --doc
	$(CARGO) run --quiet -- --version # as README says, without a name: there must be one program to run
	$(MAKE) --no-print-directory examples
	$(MAKE) --no-print-directory test-python
	scripts/test-laboratory core

laboratory: ## the laboratory, one page for the browser: laboratory/dist/index.html; installs what it needs
	scripts/laboratory

test-laboratory: ## the page as it is built, in Chromium: numbers, pixels, files, keys; installs Chromium
	scripts/test-laboratory

bench-laboratory: ## the page in Chromium: script a frame of every robot, PUMA beside the native code, memory
	scripts/bench-laboratory

test-python: ## the Python package, built in a fresh virtual environment: pytest, mypy, doctests, notebooks
	scripts/test-python

test-interop: ## the Python package with PyTorch, JAX, CasADi, Pinocchio: gigabytes of downloads
	scripts/test-interop

test-cluster: ## sweeps on a Ray cluster of two nodes, one of which is killed; designs by pymoo and cma: hundreds of megabytes of downloads
	scripts/test-cluster

wheel: ## the Python package as one wheel for CPython 3.10 and newer, in target/wheels
	python3 -m pip wheel --quiet --no-deps --wheel-dir target/wheels .

docs: ## the Python package's documentation, target/docs/python/index.html
	scripts/docs

bench-python: ## the Python package beside Pinocchio's, one run: docs/benchmarks.md
	scripts/bench-python

BUILD_EXAMPLES = $(CARGO) build --quiet --workspace --examples
EXECUTABLE = 's|.*"executable":"\([^"]*/examples/[^"]*\)".*|\1|p'

bench-device: ## generated code on the GPU, else on this processor: batches, rollouts, from the host and back: docs/devices.md
	$(CARGO) run --release --quiet -p appell-bench --bin device -- $$(nvidia-smi -L > /dev/null 2>&1 && echo cuda || echo cpu)

examples: ## every program of crates/*/examples: each checks its own numbers
	$(BUILD_EXAMPLES)
	@for program in $$($(BUILD_EXAMPLES) --message-format=json | sed -n $(EXECUTABLE)); do \
	  printed=$$("$$program" 2>&1) || { echo "$$printed"; echo "example $${program##*/} fails"; exit 1; }; \
	  echo "example $${program##*/}: as it should be"; \
	done

test-identification: ## 200 seeded recordings of four robots each: every base parameter within 3 σ in 95 %; 208 good ones of 13 without a wrong diagnosis; 40 minutes
	$(CARGO) test -p appell-identification --test identification -- --ignored --nocapture

test-cuda: ## generated CUDA, on the device where there is one, else as plain C++
	scripts/test-cuda

test-microcontroller: ## a law in C with a generated model on a Cortex-M4 and a Cortex-M7, under qemu; installs both
	scripts/test-microcontroller

test-parquet: ## tables in Parquet, which appell reads and writes where it is built with the feature
	$(CARGO) test -p appell-cli --features parquet parquet

lint: ## formatting, clippy and rustdoc, warnings as errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --document-private-items

bench: ## benchmarks as a table, beside Pinocchio where `scripts/bench-peers build` was run
	scripts/bench

bench-peers: ## installs Pinocchio, its generated code, MuJoCo, KDL and dynibo, measures all: docs/benchmarks.md
	scripts/bench-peers

instructions: ## instructions a call, which are the same on a busy machine: docs/instructions.md; needs valgrind
	scripts/instructions

peers: ## appell beside Pinocchio on the robots of example-robot-data; `make peers -- --record` keeps some as golden data
	scripts/peers $(filter --record,$(MAKECMDGOALS))

--record: # an option of peers that make takes for a goal
	@:

reproduce: ## the papers' tables and figures beside ours: report/index.html
	$(CARGO) run --release -- reproduce

soak: ## the property tests with a hundred times as many cases
	PROPTEST_CASES=25600 $(CARGO) test --release -p appell

bench-controller: ## the controller in lockstep, and by the clock at 10 kHz for a minute, with its histograms
	scripts/bench-controller

PERIODS ?= 1e8

soak-controller: ## PERIODS of a PUMA in lockstep through shared memory, compared with a simulation; ten million without allocating
	$(CARGO) run --release -p appell-realtime --example soak_controller -- $(PERIODS)
	$(CARGO) test --release -p appell-realtime --test suite -- ten_million --ignored

FUZZ_SECONDS ?= 300
FUZZ = $(CARGO) +nightly fuzz run --fuzz-dir fuzz

fuzz: ## the readers on damaged files, FUZZ_SECONDS each; needs a nightly compiler
	$(CARGO) fuzz --version > /dev/null 2>&1 || $(CARGO) install cargo-fuzz
	mkdir -p fuzz/corpus/toml fuzz/corpus/urdf fuzz/corpus/mjcf fuzz/corpus/sdf fuzz/corpus/par
	$(FUZZ) toml fuzz/corpus/toml crates/appell/robots -- -max_total_time=$(FUZZ_SECONDS)
	$(FUZZ) urdf fuzz/corpus/urdf tests/data/urdf -- -max_total_time=$(FUZZ_SECONDS)
	$(FUZZ) mjcf fuzz/corpus/mjcf tests/data/mjcf -- -max_total_time=$(FUZZ_SECONDS)
	$(FUZZ) sdf fuzz/corpus/sdf tests/data/sdf -- -max_total_time=$(FUZZ_SECONDS)
	$(FUZZ) par fuzz/corpus/par -- -max_total_time=$(FUZZ_SECONDS)

clean: ## removes what was built
	$(CARGO) clean
