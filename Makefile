# make run: install what is missing, build, run.  make test: the same for the tests.
.PHONY: run test build packages
run: build
	@build/release/tutti run
test: build
	@ctest --preset release
build: packages
	@cmake --preset release && cmake --build --preset release
packages:
	@bash tools/install_packages.sh packages/apt.txt
