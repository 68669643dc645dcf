# make         builds ./gaucho
# make demo    a paper's figures as an HTML page, with Go alone
# make lab     JupyterLab on the notebooks
# make lite    a site of JupyterLite with the notebooks, which run in the browser alone
# make quick   a change's own packages and those that import them, in three minutes
# make test    a first answer about a change, in ten minutes
# make test-ci what a change must pass beyond it
#
# What tests need beyond Go and git they install where it is missing: Python's packages into .venv; a C compiler (for the
# race detector alone), an emulator for arm64, Python, Chromium and what Qt needs with apt-get, where that is and the user is root. A part that
# still lacks something is left out with a word about it, except under CI=true, where that is a failure.

GO      ?= go
PYTHON  ?= python3
VENV    := .venv
PY      := $(VENV)/bin/python
BINARY  := gaucho$(shell $(GO) env GOEXE)
TOUR    := notebooks/tour.ipynb
PAPERS  := $(wildcard notebooks/papers/*.ipynb)
COURSE  := $(wildcard notebooks/course/*.ipynb)

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The shipped program is built without cgo, everywhere.
export CGO_ENABLED = 0

# Compiled cells go with the releases of Go of which a file interp/loader/runtime1NN.go knows. In place of another one make takes the
# newest of them, which the go command fetches.
RELEASES := $(sort $(patsubst interp/loader/runtime1%.go,1.%,$(wildcard interp/loader/runtime1[0-9][0-9].go)))
VERSION := $(shell $(GO) env GOVERSION)
ifeq ($(VERSION),)
$(error There is no $(GO) command: install Go from https://go.dev/dl)
endif
ifeq ($(filter $(RELEASES),$(shell echo '$(VERSION)' | sed 's/[^0-9]*\([0-9]*\.[0-9]*\).*/\1/')),)
NEWEST := $(shell cd / && GOTOOLCHAIN=local $(GO) list -m -f 'go{{.Version}}' go@$(lastword $(RELEASES)) 2>/dev/null)
ifeq ($(NEWEST),)
$(error This Gaucho is for Go $(RELEASES), not for $(VERSION), and $(GO) cannot fetch Go $(lastword $(RELEASES)): install that, or let $(GO) reach its GOPROXY)
endif
$(info This Gaucho is for Go $(RELEASES), not for $(VERSION): building with $(NEWEST), which $(GO) fetches)
VERSION := $(NEWEST)
export GOTOOLCHAIN := $(NEWEST)
endif

# $(call left-out,what) is a shell command: a part of make test cannot run.
left-out = if [ "$$CI" = true ]; then echo "FAILED: $(1)"; exit 1; else echo "LEFT OUT: $(1)"; fi

# $(call debian,check,packages) is a shell command that installs packages of Debian unless the check succeeds.
debian = { $(1); } >/dev/null 2>&1 || \
	{ echo "installing $(2)"; [ "$$(id -u)" = 0 ] && apt-get update -qq && \
	  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $(2) >/dev/null; } || \
	echo "cannot install this here; as root: apt-get install $(2)"

# $(call say,what) announces a part of make test, and when it begins.
say = @printf '\n== %s (%s)\n' "$(1)" "$$(date +%T)"

# $(call packages,environment,requirements) installs Python's packages into an environment of their own: by uv, which takes a fifth of
# pip's time, or by pip where uv does not reach what pip is configured for.
UV := uv==0.13.9
pip = $(1)/bin/python -m pip install -q --disable-pip-version-check $(2)
packages = $(PYTHON) -m venv $(1) && \
	{ { $(call pip,$(1),$(UV)) && $(1)/bin/uv pip install -q --python $(1)/bin/python -r $(2); } || $(call pip,$(1),-r $(2)); }

# $(call two-at-a-time,list,command) runs a command for each of a list, which it sees as $$1. What waits for one leaves a core to
# another, so two run at a time; all run, and one that fails makes the whole fail.
two-at-a-time = printf '%s\n' $(1) | xargs -P 2 -n 1 sh -c '{ $(2); } || { echo "FAILED: $$1"; exit 1; }' sh

.NOTPARALLEL:
.PHONY: build demo lab lite book reference documents book-test hubs gateway collaboration tabs conda dockerfile quick test test-ci test-all bench go-bench reproduce generate fuzz clean \
	fmt vet vet-windows staticcheck cross go-short go-long other-release race published simd simd-all wine arm64 wine-all arm64-all soak clients clients-short clients-long browser browser-short notebook notebooks exports random-exports engines engines-all lite-test lite-all library grade-all fuzz-inputs fetched conformance release venv python compiler emulator compressors chromium poppler qt wheel gallery

# The program carries the compiler and export data that its cells are compiled with: a file takes the place of an empty one, and
# compressed records of studies that of the records. -w leaves the symbol table, which the native engine reads.
KIT := dist/kit/kit.tar.zst
build: $(KIT)
	@echo "Building ./$(BINARY) with $(VERSION) ..."
	$(GO) build -buildvcs=auto -overlay dist/kit/overlay.json -tags kit -ldflags=-w -o $(BINARY) .
	$(GO) run ./interp/loader/slim $(BINARY)

# What the kit is packed from; files that git does not know yet too, but not those that are removed.
KITFILES := $(wildcard $(shell git ls-files -co --exclude-standard go.mod internal interp/rt interp/wire interp/symbols interp/kit plotting render stdlib 2>/dev/null | grep -v -e '_test\.go$$' -e /testdata/))
# A kit is one release's.
RELEASE := dist/kit/release
$(shell mkdir -p dist/kit; echo $(VERSION) | cmp -s - $(RELEASE) || echo $(VERSION) >$(RELEASE))
$(KIT): $(RELEASE) $(KITFILES)
	@echo "Packing the Go compiler that cells are compiled with: minutes the first time, then seconds to a minute ..."
	$(GO) run ./interp/kit/pack -o $@

demo: build
	./$(BINARY) run notebooks/papers/kernel-herding.ipynb -o dist/kernel-herding.ipynb --html dist/kernel-herding.html
	@echo "The page is dist/kernel-herding.html; it needs no network."

# What a user of JupyterLab needs, in an environment of its own: the tests' has much more.
LAB := .venv-lab
$(LAB)/.installed: install/lab-requirements.txt | python
	@rm -f $@
	@echo "Installing JupyterLab into $(LAB) ..."
	-@$(call packages,$(LAB),$<) && touch $@

# LABFLAGS are JupyterLab's, as LABFLAGS="--no-browser --port 9999".
lab: build $(LAB)/.installed
	@test -x $(LAB)/bin/jupyter-lab || { echo "JupyterLab could not be installed into $(LAB)"; exit 1; }
	VIRTUAL_ENV="$(CURDIR)/$(LAB)" ./$(BINARY) install --sys-prefix
	$(LAB)/bin/jupyter-lab --ServerApp.root_dir=notebooks $$([ "$$(id -u)" = 0 ] && echo --allow-root) $(LABFLAGS)

# The course as students get it: a site or a book of the sources would publish the solutions.
RELEASED := $(patsubst notebooks/course/%,dist/course/%,$(COURSE))
dist/course/%.ipynb: notebooks/course/%.ipynb | build
	./$(BINARY) grade --release $< -o dist/course

# The site's own environment holds what a user installs. pip must be told to install another wheel of the same version. The papers are at
# their small size.
LITE := dist/lite
lite-test lite-all: DRAFT = -draft # for tests: compressed in seconds
lite: compressors $(RELEASED)
	$(GO) run ./install/wheel -lite $(DRAFT) -o $(LITE)
	@test -d $(LITE)/env || $(PYTHON) -m venv $(LITE)/env
	$(LITE)/env/bin/pip install -q --disable-pip-version-check 'jupyterlite-core[contents]==0.8.6' $(LITE)/gaucho_lite-*.whl
	$(LITE)/env/bin/pip install -q --disable-pip-version-check --force-reinstall --no-deps $(LITE)/gaucho_lite-*.whl
	@rm -rf $(LITE)/notebooks && cp -r notebooks $(LITE)/notebooks && cp $(RELEASED) $(LITE)/notebooks/course && \
		sed -i.bak 's/size := \\"default\\"/size := \\"small\\"/' $(LITE)/notebooks/*.ipynb $(LITE)/notebooks/*/*.ipynb && \
		rm $(LITE)/notebooks/*.bak $(LITE)/notebooks/*/*.bak
	cd $(LITE) && env/bin/jupyter lite build --contents notebooks --output-dir site
	@echo "The site is $(LITE)/site; python3 -m http.server -d $(LITE)/site serves it."

# The papers, run at their small size, and the course as students get it, as a book with a button that opens them in JupyterLite.
BOOK := dist/book
BOOKENV := .venv-book
book: build lite $(BOOKENV)/.installed
	$(BOOKENV)/bin/pip install -q --disable-pip-version-check --force-reinstall --no-deps $(LITE)/gaucho_lite-*.whl
	@rm -rf $(BOOK) && mkdir -p $(BOOK)/source && cp docs/book/* $(BOOK)/source && cp -r $(LITE)/notebooks $(BOOK)/source/notebooks
	@for nb in $(TOUR) $(PAPERS); do \
		page=$(BOOK)/source/$${nb#notebooks/}; mkdir -p $$(dirname $$page); echo "$$nb"; \
		size=; if grep -q '"parameters"' $$nb; then size="-p size=small"; fi; \
		./$(BINARY) run $$nb $$size --timeout 10m -o $$page || exit 1; \
	done
	@$(GO) run ./docs/reference $(BOOK)/source/reference
	$(BOOKENV)/bin/jupyter-book build $(BOOK)/source --path-output $(BOOK)
	@echo "The book is $(BOOK)/_build/html; python3 -m http.server -d $(BOOK)/_build/html serves it."

# A page for each package that cells use, for who reads without Go.
reference:
	$(GO) run ./docs/reference dist/reference

# What changed since the branch BASE left.
BASE := main
LIMIT := 3m
quick:
	@$(GO) run ./test/quick -base $(BASE) -limit $(LIMIT) -staticcheck $(STATICCHECK)

# The limits are seconds on two quiet cores. Long tests are in their short form here, and whole in test-ci.
test:
	@test/parts.sh 600 build:150 fmt:10 vet:60 go-short:240 notebook:20 clients-short:60 browser-short:60

test-ci:
	@test/parts.sh 1500 build:30 staticcheck:60 cross:100 go-long:200 random-exports:120 fuzz-inputs:60 race:110 simd:60 \
		clients-long:200 browser:320 engines:30 lite-test:120 other-release:300

# Everything with one release of Go, then its tests with the other one. Benchmarks and records are those of one release.
ALL := test test-ci vet-windows published release documents book-test hubs gateway collaboration tabs conda dockerfile library exports engines-all lite-all simd-all wine-all arm64-all soak fuzz grade-all fetched conformance
test-all: $(ALL) go-bench bench reproduce
	GOTOOLCHAIN=$(OTHER) $(MAKE) $(ALL) GO_TESTS="$(or $(GO_TESTS),$$($(GO) env GOROOT))"

fmt:
	$(call say,gofmt)
	@files=$$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l); \
	if [ -n "$$files" ]; then echo "not formatted:"; echo "$$files"; exit 1; fi

vet:
	$(call say,go vet)
	$(GO) vet ./...

staticcheck:
	$(call say,staticcheck)
	@if $(GO) run $(STATICCHECK) -version; then $(GO) run $(STATICCHECK) ./...; \
	else $(call left-out,staticcheck cannot be fetched); fi

# Tests must compile on Windows too.
vet-windows:
	GOOS=windows GOARCH=amd64 $(GO) vet ./...

# Everything must build without cgo everywhere.
cross:
	$(call say,other platforms)
	GOOS=linux GOARCH=arm64 $(GO) build ./...
	GOOS=darwin GOARCH=arm64 $(GO) build ./...
	GOOS=windows GOARCH=amd64 $(GO) build ./...
	GOOS=js GOARCH=wasm $(GO) build -trimpath -o /dev/null ./install/lite/program # as the wheel builds it

# vet has looked already. A long test has a short form and says so: what tests without one print is the same in both, so go-long
# runs the packages that have long tests.
go-short: chromium
	$(call say,go test without long tests)
	$(GO) test -vet=off -timeout 30m -short ./...

go-long: chromium
	$(call say,go test with long tests)
	$(GO) test -vet=off -timeout 45m $$(git grep -lE 'testing\.Short\(\)' -- '*_test.go' | xargs -n 1 dirname | sort -u | sed 's,^,./,')

# The loader, cells and a notebook with the other release of Go that it knows, which the go command fetches.
OTHER := $(if $(findstring go1.26,$(VERSION)),go1.27.4,go1.26.8)
other-release:
	$(call say,the loader and cells with $(OTHER))
	@if GOTOOLCHAIN=$(OTHER) $(GO) version; then export GOTOOLCHAIN=$(OTHER); \
		$(GO) test -vet=off -short ./interp/loader ./interp/kit && $(GO) test -vet=off -short ./interp -run '^(TestCells|TestNativeCells|TestGo127|TestNativeGo127)$$' && \
		$(GO) build -o dist/other/$(BINARY) . && dist/other/$(BINARY) run --engine native notebooks/course/1-first-steps.ipynb -o dist/other/first-steps.ipynb; \
	else $(call left-out,$(OTHER) cannot be fetched); fi

# A kit made by a toolchain that the go command has fetched for itself, as on a machine with an older Go.
FETCHED = $(if $(findstring go1.26,$(VERSION)),go1.26.7,go1.27.3)
fetched:
	$(call say,a kit with $(FETCHED))
	$(GO) test -vet=off -v -timeout 30m ./interp/kit -run '^TestFetched$$' -fetched $(FETCHED)

# What runs on several goroutines by nature, but not the worker: its cells race where their authors let them. The race
# detector needs cgo, and so a C compiler.
HAS_COMPILER := command -v gcc || command -v clang
RACE := ./kernel/... ./interp ./interp/wire ./interp/symbols ./stdlib/study/...
race: compiler
	$(call say,race detector)
	@if { $(HAS_COMPILER); } >/dev/null; then \
		CGO_ENABLED=1 $(GO) test -vet=off -race $(RACE); \
	else $(call left-out,no C compiler for the race detector); fi

# The paths that this machine's processor does not choose by itself, and arm64 in QEMU.
# TestGodebug starts itself under each path. Without its instruction a fused multiply-add takes a hundred times as long, so
# gonum's suites and the eigenvalues run on the portable path in make test-all only.
SIMD := ./stdlib/vec/... ./stdlib/linalg/... ./stdlib/internal/...
EMULATOR := command -v qemu-aarch64-static || command -v qemu-aarch64
simd: emulator
	$(call say,AVX2 and portable paths)
	GODEBUG=cpu.avx512f=off $(GO) test -count=1 -skip '^TestGodebug$$' $(SIMD)
	GODEBUG=cpu.all=off $(GO) test -count=1 -skip '^(TestGodebug|TestGonumSuites|TestSymEigen.*|TestTopEigen)$$' $(SIMD)
	@emulator=$$($(EMULATOR)); if [ -n "$$emulator" ]; then \
		CGO_ENABLED=0 GOARCH=arm64 $(GO) test -count=1 -short -exec "$$emulator" -skip '^(TestGodebug|TestGonumSuites|TestSymEigen.*|TestTopEigen)$$' $(SIMD); \
	else $(call left-out,no emulator for arm64); fi

simd-all:
	GODEBUG=cpu.all=off $(GO) test -count=1 -timeout 30m -skip '^TestGodebug$$' $(SIMD)

# Gaucho for Windows in wine, and for Linux on arm64 in QEMU. The first time each packs a kit, which takes minutes.
WINE = [ -x /usr/lib/wine/wine64 ] && command -v x86_64-w64-mingw32-gcc
wine: build
	$(call say,Windows in wine)
	@$(call debian,$(WINE),wine wine64 gcc-mingw-w64-x86-64)
	@if { $(WINE); } >/dev/null; then GO=$(GO) test/systems.sh windows; else $(call left-out,no wine or no mingw for Windows); fi

arm64: build emulator
	$(call say,Linux on arm64 in QEMU)
	@if ! { $(EMULATOR); } >/dev/null; then $(call left-out,no emulator for arm64); \
	elif ! unshare -U -r -m mount -t binfmt_misc none /proc/sys/fs/binfmt_misc 2>/dev/null; then \
		$(call left-out,a kernel before Linux 6.7 or without user namespaces cannot start programs for arm64 in QEMU); \
	else GO=$(GO) test/systems.sh arm64; fi

wine-all arm64-all: export LONG = 1
wine-all: wine
arm64-all: arm64

soak:
	$(GO) test ./interp -run 'Soak|DeathAnywhere' -soak 2000 -deaths 500 -cells 5000 -timeout 1h
	$(GO) test ./stdlib/study/pool -run NetworkLost -long

# The standard library's own examples and tests as sessions of both engines, hours of the interpreter. The page
# docs/conformance-library.md comes with -page "$PWD/docs/conformance-library.md".
library:
	$(GO) test ./interp -run StandardLibrary -library -timeout 4h

# The whole module under another path, as whoever publishes it has it.
published:
	$(GO) test ./install/module -run Whole -whole -timeout 3h

# The page of the run-tests with the release in use: GO_TESTS is a directory with a whole Go, where a fetched toolchain comes without tests.
conformance: build
	$(GO) run ./interp/lower/conform -gaucho ./$(BINARY) -distribution "$(GO_TESTS)" > dist/conformance.md
	mv dist/conformance.md docs/conformance$(if $(findstring go1.27,$(VERSION)),127).md

# 300 generated submissions, three times.
grade-all:
	$(GO) test ./command/grade -run TestMany -submissions 300 -timeout 2h

# What others write: notebooks and their text, results of pools and of students, connection files, messages. Each fuzzer
# with the number of inputs that take a few seconds: with a time in place of a number, Go 1.26 reports its own deadline
# as a failure now and then (go.dev/issue/75804).
FUZZ_TIMES ?= 1
FUZZERS := command/page/FuzzNotebook:600 command/page/FuzzMarkdown:20000 stdlib/study/FuzzEnter:40000 stdlib/study/FuzzLine:30000 \
	stdlib/check/FuzzDecode:40000 kernel/FuzzConnection:10000 interp/wire/FuzzReceive:60000 kernel/zmtp/FuzzMessages:40000
fuzz-inputs:
	$(call say,fuzzers)
	@for f in $(FUZZERS); do target=$${f%:*}; inputs=$$(( $${f#*:} * $(FUZZ_TIMES) ))x; \
		$(GO) test ./$${target%/*} -run '^$$' -fuzz "^$${target##*/}$$" -fuzztime $$inputs -fuzzminimizetime 100x || exit 1; done

# Random programs, by both engines and by the Go compiler, and notebooks, as programs too: an hour or two of two cores for each engine.
fuzz:
	$(GO) test ./interp/lower/fuzzdiff -engine native -programs 3000 -notebooks 3000 -timeout 4h
	$(GO) test ./interp/lower/fuzzdiff -programs 3000 -timeout 3h
	$(MAKE) fuzz-inputs FUZZ_TIMES=100

# The longest comes first.
IN_BROWSER = test/test_notebooks.py test/test_browser.py test/test_display.py test/test_widgets.py test/test_inside.py
CLIENTS = test/test_nbclient.py $(filter-out test/test_nbclient.py $(IN_BROWSER) test/test_release.py test/test_lite.py,$(wildcard test/test_*.py))

# Files of a few seconds in make test, the others in make test-ci.
clients: clients-short clients-long
QUICK_CLIENTS = test/test_conformance.py test/test_messaging.py test/test_installed.py test/test_gateway.py
clients-short: TESTS = $(QUICK_CLIENTS)
clients-long: TESTS = $(filter-out $(QUICK_CLIENTS),$(CLIENTS))
clients-short clients-long: build venv qt
	$(call say,Jupyter clients)
	@if [ -f $(VENV)/.installed ]; then export GAUCHO="$(CURDIR)/$(BINARY)"; $(call two-at-a-time,$(TESTS),$(PY) -m pytest -q -rs $$1); \
	else $(call left-out,no virtual environment for the Jupyter clients); fi

# The wheel that wheel makes for this platform, where there is neither Go nor a C compiler. Its size is that of the best compressors.
release: venv compressors
	$(call say,the released wheel)
	$(PY) -m pytest -q -rs test/test_release.py

HAS_CHROMIUM := [ -n "$$CHROMIUM" ] || command -v chromium || command -v chromium-browser || command -v google-chrome
browser: notebooks
browser: TESTS = $(IN_BROWSER)
browser-short: TESTS = test/test_browser.py
browser-short: ONE = -k everyday
browser browser-short: build venv chromium
	$(call say,JupyterLab in a browser)
	@if [ ! -f $(VENV)/.installed ]; then $(call left-out,no virtual environment for JupyterLab); \
	elif ! { $(HAS_CHROMIUM); } >/dev/null; then $(call left-out,no Chromium for JupyterLab); \
	else export GAUCHO="$(CURDIR)/$(BINARY)"; $(call two-at-a-time,$(TESTS),$(PY) -m pytest -q -rs $(ONE) $$1); fi

lite-test: lite venv chromium
	$(call say,JupyterLite in a browser)
	@if [ ! -f $(VENV)/.installed ]; then $(call left-out,no virtual environment for the browser); \
	elif ! { $(HAS_CHROMIUM); } >/dev/null; then $(call left-out,no Chromium for JupyterLite); \
	else $(PY) -m pytest -q -rs test/test_lite.py; fi

lite-all: lite venv chromium
	LITE_ALL=1 $(PY) -m pytest -q -rs test/test_lite.py -k whole

# Each notebook at its smallest size, or one of each kind. Its page is what the tests in the browser look at.
notebooks: NOTEBOOKS = $(TOUR) $(PAPERS) $(COURSE)
notebook: NOTEBOOKS = $(TOUR) $(ENGINES)
notebook notebooks: build
	$(call say,notebooks)
	@$(call two-at-a-time,$(NOTEBOOKS),size=; if grep -q "\"parameters\"" $$1; then size="-p size=small"; fi; \
		echo $$1; ./$(BINARY) run $$1 $$size --timeout 10m --html dist/small/$$(basename $$1 .ipynb).html)

# The papers at their smallest size, the tour and the course as programs, which must print what the notebooks show.
exports: build python
	$(call say,exported notebooks)
	@$(call two-at-a-time,$(TOUR) $(PAPERS) $(COURSE),$(PYTHON) test/exports.py ./$(BINARY) $$1)

# Random notebooks in both engines and as programs.
random-exports:
	$(call say,random notebooks as programs)
	$(GO) test -vet=off ./interp/lower/fuzzdiff -run '^TestNotebooks$$' -engine native -notebooks 200

# The same notebooks in both engines must show the same.
ENGINES := notebooks/papers/kernel-herding.ipynb notebooks/course/1-first-steps.ipynb
engines: build python
	$(call say,both engines)
	$(PYTHON) test/engines.py ./$(BINARY) $(ENGINES)

# Tools around notebooks whose packages do not go with those of the other tests have environments of their own.
.venv-%/.installed: test/%/requirements.txt | python
	@rm -f $@
	@$(call packages,.venv-$*,$<) && touch $@

# JupyterHub's proxy is a package of npm.
hubs: build .venv-hubs/.installed
	@test -x .venv-hubs/node_modules/.bin/configurable-http-proxy || npm install --silent --no-fund --no-audit --prefix .venv-hubs configurable-http-proxy@5.3.0 || true
	GAUCHO="$(CURDIR)/$(BINARY)" .venv-hubs/bin/python -m pytest -q -rs test/hubs

gateway: build .venv-gateway/.installed
	GAUCHO="$(CURDIR)/$(BINARY)" .venv-gateway/bin/python -m pytest -q -rs test/gateway

collaboration: build chromium .venv-collaboration/.installed
	GAUCHO="$(CURDIR)/$(BINARY)" .venv-collaboration/bin/python -m pytest -q -rs test/collaboration

tabs: build chromium .venv-tabs/.installed
	GAUCHO="$(CURDIR)/$(BINARY)" .venv-tabs/bin/python -m pytest -q -rs test/tabs

# The Dockerfile's steps, without an engine for images.
dockerfile:
	@$(call debian,command -v debootstrap,debootstrap)
	$(PYTHON) test/dockerfile.py

conda: build .venv-conda/.installed
	GAUCHO="$(CURDIR)/$(BINARY)" .venv-conda/bin/python -m pytest -q -rs test/conda

book-test: book chromium
	$(BOOKENV)/bin/python -m pytest -q -rs test/book

documents: build chromium poppler .venv-documents/.installed
	GAUCHO="$(CURDIR)/$(BINARY)" .venv-documents/bin/python -m pytest -q -rs test/documents

engines-all: build
	$(PYTHON) test/engines.py ./$(BINARY) $(PAPERS) $(COURSE)

# Every benchmark and its peer, which gets an environment of its own, then docs/benchmarks.md. ONLY=em runs one group. A goal
# that is missed is no failure: the page says so.
GROUPS := kernel native everyday lite numerics herding em boosting kernelmachine embedding inference mabfdr nn rl learners table study growth
bench: build python $(if $(filter lite,$(or $(ONLY),$(GROUPS))),lite chromium)
	@failed=; for b in $(or $(ONLY),$(GROUPS)); do printf '\n== %s\n' $$b; \
		GAUCHO="$(CURDIR)/$(BINARY)" $(PYTHON) bench/$$b/bench.py --record || failed="$$failed $$b"; done; \
	$(GO) run ./bench/page || exit 1; \
	if [ -n "$$failed" ]; then echo "FAILED:$$failed"; exit 1; fi

# The packages' own benchmarks, which have no peer.
go-bench:
	$(GO) test -run '^$$' -bench . ./...

# Every figure of the papers at the size that the paper has: the studies, which go on where they were stopped, their compact
# records, the page REPRODUCTION.md, then the notebooks. ./gaucho study list says how long the studies take. The searches for
# settings come first: other studies read their records.
reproduce: build
	@for study in sbeed-search sbeed-search-onpolicy $$(./$(BINARY) study list | awk '/^[a-z]/ { print $$1 }'); do \
		./$(BINARY) study run $$study && ./$(BINARY) study compact --compact stdlib/reproduction $$study || exit 1; \
	done
	./$(BINARY) study report --compact stdlib/reproduction
	@for nb in $(PAPERS); do \
		name=dist/$$(basename $$nb .ipynb); \
		./$(BINARY) run $$nb -p size=paper -o $$name.ipynb --html $$name.html && echo "$$name.html" || exit 1; \
	done

# What is generated, again: the vector kernels, what cells can import, what exported programs need. Needed after a change of a
# package's API or imports.
generate:
	$(GO) generate ./stdlib/internal/asm
	$(GO) generate ./interp/symbols
	$(GO) generate ./command

venv: $(VENV)/.installed

# Installing may fail without a network: then the file is missing and what needs it is left out.
$(VENV)/.installed: test/requirements.txt | python
	@rm -f $@
	-@$(call packages,$(VENV),$<) && touch $@

python:
	@$(call debian,$(PYTHON) -c 'import ensurepip',python3 python3-venv)

compiler:
	@$(call debian,$(HAS_COMPILER),gcc libc6-dev)

emulator:
	@$(call debian,$(EMULATOR),qemu-user-static)

compressors:
	@$(call debian,command -v zstd && command -v libdeflate-gzip,zstd libdeflate-tools)

chromium:
	@$(call debian,$(HAS_CHROMIUM),chromium fonts-dejavu-core)

poppler:
	@$(call debian,command -v pdftotext,poppler-utils)

# The libraries that Qt, and so qtconsole, expects of the system.
qt:
	@$(call debian,ldconfig -p | grep -q libEGL.so.1 && ldconfig -p | grep -q libxkbcommon.so.0,\
	libegl1 libgl1 libxkbcommon0 libdbus-1-3 libfontconfig1 libglib2.0-0)

# docs/gallery.md, from the papers' notebooks at the size paper, at which they draw the records of the studies.
gallery: build
	@for nb in $(PAPERS); do ./$(BINARY) run $$nb -p size=paper -o dist/gallery/$$(basename $$nb) || exit 1; done
	$(GO) run ./docs/gallery dist/gallery/*.ipynb

# For pip: a wheel a platform.
wheel: compressors
	$(GO) run ./install/wheel -o dist -all

clean:
	rm -rf $(BINARY) dist test/out
