# Tierscope. The targets install what they need (Debian packages too) and are
# quick the second time.
#
#   make run      build everything and open the window on a sample
#   make test     vet, format, import rules, all tests, and short ones under the race detector; TESTFLAGS are for go test
#   make verify   the simulator against queueing theory, with fresh seeds
#   make samples  the sample projects of the start page, analysed and measured anew
#   make traces   the recordings of testdata/traces anew: other runs, other models
#   make lint     golangci-lint with .golangci.yml
#   make accuracy   predict and measure the subject programs, write testdata/accuracy and the tables of docs
#   make unseen   analyse and measure the programs that nobody prepared, write testdata/unseen/RESULTS.md
#   make sensitivity  halve and double every threshold of the analysis, write testdata/sensitivity.json and docs/sensitivity.md
#   make faults   every command that writes is killed, runs beside itself, and fails at its writes, FAULTS times each
#   make release  everything that a release has, in dist/release
#   make fresh    make run and make test in fresh Debians, below FRESH: without Go, with an old one, without rights, offline
#   make check-release  two builds of the release are the same; its .deb is installed, used and removed in a fresh Debian
#   make profile  simulation/profile.pgo anew: what the benchmarks of the simulator spend their time in
#   make bench    benchmarks        make fuzz    every fuzz target for FUZZTIME

SHELL    := /bin/bash
GO       ?= go
BIN      := $(CURDIR)/bin
TAGS     := x11,migrated_fynedo
VERSION  := $(shell git describe --always --dirty 2>/dev/null || echo development)
LDFLAGS  := -X main.version=$(VERSION)
FUZZTIME ?= 60s
FAULTS   ?= 150
FRESH    ?= /var/tmp/tierscope-fresh
export GOFLAGS := -buildvcs=false
# A Go that is older than go.mod asks for fetches the right one, even where a
# distribution has switched that off; and Go's own installer puts it there.
export GOTOOLCHAIN ?= auto
export PATH := $(PATH):/usr/local/go/bin

# What the window's C parts need to build (the wayland and xkb headers only
# without the x11 tag, so that a plain "go build ./..." works too), and to run.
BUILD_PACKAGES := gcc libc6-dev pkg-config libgl-dev libx11-dev libxcursor-dev libxrandr-dev \
                  libxinerama-dev libxi-dev libxxf86vm-dev libwayland-dev libxkbcommon-dev
RUN_PACKAGES   := libgl1 libxcursor1 libxrandr2 libxinerama1 libxi6 xvfb xauth

# By what the simulator spends its time in the compiler decides what to put in line. (A default.pgo beside the main
# packages would compile all that they import once more for their tests.)
PGO := -pgo=$(CURDIR)/simulation/profile.pgo

WINDOW := $(GO) build $(PGO) -tags $(TAGS) -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/tierscope

.PHONY: profile unseen faults release check-release fresh samples traces sensitivity run test verify lint bench fuzz accuracy build tierctl tierscope packages toolchain fmt clean
.DEFAULT_GOAL := test

accuracy: toolchain
	@testdata/programs/accuracy.sh

# PROGRAMS: names of some of them; otherwise those that have no results of this state, the last commit that is not of results.
unseen: COMMIT = $(shell git log -1 --format=%h --abbrev=8 -- . ':!testdata/unseen/results.jsonl' ':!*.md' ':!testdata/accuracy')
unseen: tierctl
	$(GO) run ./cmd/unseen -tierctl $(BIN)/tierctl -commit $(COMMIT) -work .cache/unseen/$(COMMIT) -results testdata/accuracy $(PROGRAMS)
	$(BIN)/tierctl accuracy pages -q testdata/accuracy docs

toolchain:
	@assets/build/toolchain.sh "$(GO)"

packages:
	@assets/build/packages.sh $(BUILD_PACKAGES) $(RUN_PACKAGES)

# Both at once: most of the time in which there is nothing to build goes into finding that out.
tierctl: toolchain
	CGO_ENABLED=0 $(GO) build $(PGO) -ldflags '$(LDFLAGS)' -o $(BIN)/ ./cmd/tierctl ./cmd/tierlayout

tierscope: packages tierctl
	$(WINDOW)

build: tierctl tierscope

# Who may not install the window's C libraries gets everything else.
run: packages tierctl
	@if assets/build/headers.sh "$(GO)"; then (set -x && $(WINDOW)); else rm -f $(BIN)/tierscope; fi
	@assets/build/run.sh $(BIN)

test: toolchain packages
	@unformatted=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go' -not -path './bin/*')); \
	 if [ -n "$$unformatted" ]; then echo "not formatted with gofmt:"; echo "$$unformatted"; exit 1; fi
	GOOS=windows CGO_ENABLED=0 $(GO) build -o $(BIN)/windows/ ./cmd/tierctl ./cmd/tierlayout
	@assets/build/test.sh "$(GO)" $(TAGS) $(TESTFLAGS)

verify: toolchain
	TIERSCOPE_SEED=$$(date +%s%N) $(GO) test -count=1 -timeout 30m -run 'TestTheSimulatorAgreesWithQueueingTheory|TestIntervalsForMM1|TestQueuesThatRemember' ./simulation

samples: tierctl
	assets/build/samples.sh $(BIN)

traces: tierctl
	testdata/traces/record.sh $(BIN)

sensitivity: toolchain
	nice $(GO) run ./cmd/sensitivity measure $(ONLY)

lint: toolchain packages
	cd tools && $(GO) build -o $(BIN)/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	$(BIN)/golangci-lint run ./...

# FAULTS: how often every command is killed, and fails at each of its writes.
faults: toolchain
	@assets/build/faults.sh "$(GO)" $(FAULTS)

release: toolchain packages
	GO="$(GO)" packaging/release.sh

fresh:
	assets/build/fresh.sh $(FRESH) run,test

check-release: toolchain packages
	GO="$(GO)" packaging/twice.sh $(FRESH)
	packaging/installed.sh $(FRESH)/one/tierscope/dist/release/tierscope_*.deb $(FRESH)

profile: toolchain
	mkdir -p $(BIN)
	$(GO) test -run '^$$' -bench . -benchtime 3s -cpuprofile $(CURDIR)/simulation/profile.pgo -o $(BIN)/simulation.test ./simulation

bench: toolchain
	$(GO) test $(PGO) -run '^$$' -bench . -benchmem ./simulation/... ./core/... ./gui/...

fuzz: toolchain
	@assets/build/fuzz.sh "$(GO)" $(FUZZTIME)

clean:
	rm -rf $(BIN)
