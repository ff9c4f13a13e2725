# What a person types; meson does the work.
BUILD := build
SHELL := /bin/sh

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja: | packages
	@meson setup $(BUILD) --buildtype=release -Doptimization=2 -Db_lto=true >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

packages:
	@scripts/packages

demo: all
	@scripts/demo $(BUILD)

check: all
	@scripts/check $(BUILD)

bench: all
	@$(BUILD)/bench/bench

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

install: all
	@meson install -C $(BUILD)

clean:
	@rm -rf $(BUILD) build-*

.PHONY: all packages demo check bench format install clean
