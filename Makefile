# What a person types; meson does the work.
BUILD := build
SHELL := /bin/sh

all: $(BUILD)/build.ninja lto
	@ninja -C $(BUILD) --quiet release

setup = { meson setup $(BUILD) --buildtype=release -Doptimization=2 $(1) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }; } && rm -f $(BUILD).log

$(BUILD)/build.ninja: | packages
	@$(call setup,-Db_lto=true)

# After make demo.
lto: $(BUILD)/build.ninja
	@[ ! -e $(BUILD)/without-lto ] || { meson configure $(BUILD) -Db_lto=true && rm $(BUILD)/without-lto; }

# The tool alone, in build-tool: about a minute on two processors (-O1; make builds a faster one in several). TOOL="-Dexec=disabled": meson_options.txt
tool:
	@scripts/packages tool
	@[ -e build-tool/build.ninja ] || { meson setup build-tool --buildtype=release -Doptimization=1 -Dtests=false -Davx512=false -Dwarning_level=0 $(TOOL) >build-tool.log 2>&1 || { cat build-tool.log; exit 1; }; } && rm -f build-tool.log
	@ninja -C build-tool --quiet

# Other hosts (aarch64 under qemu, musl), and the tool without each feature: PARTS="musl features", SUITES="rule table"
hosts:
	@scripts/packages hosts
	@$(if $(SUITES),SUITES="$(SUITES)") scripts/hosts $(PARTS)

packages:
	@scripts/packages

# With tests, benchmarks and analysis, which need more packages.
everything: $(BUILD)/build.ninja lto
	@scripts/packages tests
	@[ -e $(BUILD)/bench ] || meson setup --reconfigure $(BUILD) >/dev/null
	@ninja -C $(BUILD) --quiet release

# The first build is without LTO, in a third of the time; make all, and all that needs it, turns LTO on.
demo: packages
	@[ -e $(BUILD)/build.ninja ] || { $(call setup,) && touch $(BUILD)/without-lto; }
	@ninja -C $(BUILD) --quiet release
	@scripts/demo $(BUILD)

check: everything
	@scripts/packages packages
	@scripts/check $(BUILD)

# The tests whose softgt prints JSON, and all of that against schemas/ (docs/json.md).
check-json: everything
	@rm -f $(BUILD)/json.log
	@ninja -C $(BUILD) --quiet
	@meson test -C $(BUILD) --no-rebuild --setup json --suite table --suite golden --suite bad --suite exec; good=$$?; \
		tests/json_schemas.py $(BUILD)/json.log && exit $$good

# What the tests reach, in lines and branches.
coverage: everything
	@scripts/coverage

# clang-tidy and gcc -fanalyzer, after make check has set up their builds: minutes. FILES="src/engine/parse.c": only these.
analyse: everything
	@scripts/analyse $(FILES)

# What they would not notice: make mutate SAMPLE=200 SEED=7
mutate: everything
	@scripts/mutate --sample $(or $(SAMPLE),100) --seed $(or $(SEED),1)

bench: everything
	@ninja -C $(BUILD) --quiet benchmarks
	@$(BUILD)/bench/bench
	@bench/side-by-side $(BUILD)

# libFuzzer on every target, or on those of TARGETS="batch gts"; TIME is for all of them: 600, 10m or 8h.
fuzz: everything
	@scripts/fuzz $(or $(TIME),10m) $(TARGETS)

format:
	@scripts/files '*.c' '*.h' | xargs clang-format -i

# A guest with its own kernel and driver: DEVICE=skl KERNEL=trixie RUN="gem_exec_basic gem_exec_store@basic"; docs/guest-lab.md: MODULES, INITRD, DISK, GDB, SAVE, LOAD
guest: everything
	@tests/guest/run

guest-shell: everything
	@RUN=shell tests/guest/run

# A picture of Weston, glmark2 and vkcube in a guest: DEVICE=tgl KERNEL=trixie
guest-desktop: everything
	@tests/guest/desktop $(abspath $(BUILD))/guest-desktop-$(or $(DEVICE),tgl).png

guest-full: everything
	@tests/guest/full

# Programs as Debian has them, on softgt exec: ON="neo/skl rusticl/icl gl/tgl" PARTS="hashcat piglit" MODES="0 100" FILES=atomic EVERY=40
programs: everything
	@tests/exec/programs.py $(BUILD)/tools/softgt $(ON)

# Guests and clients for hours; TIME=90m, PARTS="clients library guests"
soak: everything
	@ninja -C $(BUILD) --quiet tests/gts_files
	@tests/soak/run $(BUILD) $(or $(TIME),1h) $(PARTS)

# scripts/slurm on a cluster of two nodes on this machine.
check-slurm: all
	@scripts/packages slurm
	@tests/slurm/check $(BUILD)

# The book, the reference and the manual pages as HTML, in build/site.
site: $(BUILD)/build.ninja
	@scripts/packages site
	@ninja -C $(BUILD) --quiet site

# The source as build/dist/softgt-VERSION.tar.xz, which builds without git and network.
dist:
	@scripts/dist $(BUILD)/dist

# Debian packages in build/debs, built in a clean chroot: SUITE=trixie; FAST=1 without link-time optimisation and debug symbols.
debs:
	@scripts/packages packages
	@packaging/debs $(or $(SUITE),bookworm) $(BUILD)/debs

# Builds them, installs them in a clean chroot and tries them: lintian, the demo, the library's examples, drivers, a read-only container.
check-debs:
	@scripts/packages packages
	@packaging/check $(or $(SUITE),bookworm) $(BUILD)/debs

# PREFIX=/usr, DESTDIR=/tmp/package; what was installed last is what uninstall removes.
install: all
	@$(if $(PREFIX),meson configure $(BUILD) -Dprefix=$(PREFIX) && ninja -C $(BUILD) --quiet release)
	@DESTDIR=$(DESTDIR) meson install -C $(BUILD) --no-rebuild

uninstall:
	@ninja -C $(BUILD) uninstall

clean:
	@rm -rf $(BUILD) build-*

.PHONY: all everything tool hosts packages lto demo check check-json coverage analyse mutate bench fuzz format guest guest-shell guest-desktop guest-full programs soak check-slurm site dist debs check-debs install uninstall clean
