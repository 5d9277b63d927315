# make run: install what is missing, build, run.  make test: the same for the tests.  make bench: tables of speed.
.PHONY: run test bench build packages
run: build
	@build/release/tutti run
test: build
	@ctest --preset release
bench: packages
	@cmake --preset release && cmake --build --preset release --target tutti sim_bench
	@/usr/bin/python3 bench/run.py
build: packages
	@cmake --preset release && cmake --build --preset release
packages:
	@bash tools/install_packages.sh packages/apt.txt
