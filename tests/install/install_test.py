"""cmake --install, the author guide, a kernel outside of the tree that is built against what was installed, and the .deb."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

TUTTI, BUILD = os.environ["TUTTI"], os.environ["TUTTI_BUILD"]


def run(*words, code=0, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=240, **more)
    assert done.returncode == code, (words, done.returncode, done.stdout[-2000:], done.stderr[-3000:])
    return done


compiler = next(line.split("=", 1)[1].strip() for line in open(os.path.join(BUILD, "CMakeCache.txt"))
                if line.startswith("CMAKE_CXX_COMPILER:"))
top = tempfile.mkdtemp(prefix="tutti_install_")
try:
    # Installed, the program runs from where it is.
    prefix = os.path.join(top, "prefix")
    run("cmake", "--install", BUILD, "--prefix", prefix)
    tutti = os.path.join(prefix, "bin", "tutti")
    assert run(tutti, "version").stdout.startswith("tutti")

    # A project that knows nothing but the package builds a kernel, tests it on the mock, and runs it on PEs.
    outside = os.path.join(top, "kernel-outside")
    shutil.copytree("examples/kernel-outside", outside)
    build = os.path.join(top, "build")
    run("cmake", "-S", outside, "-B", build, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=" + compiler,
        "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CXX_COMPILER_LAUNCHER=" + (shutil.which("ccache") or ""))
    run("cmake", "--build", build)
    run(os.path.join(build, "halo_test"))
    library, yaml = os.path.join(build, "libhalo.so"), os.path.join(outside, "ccl.yaml")
    tiny = ["run", "--ccl", yaml, "--set", "profile=tiny", "--bytes", "4KiB", "--no-verify-data"]
    done = run(tutti, *tiny, "--kernel-library", library)
    assert "halo: custom of 4 KiB a rank on 16 ranks" in done.stdout, done.stdout
    # The program that was not installed loads it just the same.
    assert run(TUTTI, *tiny, "--kernel-library", library).stdout.splitlines()[0] == done.stdout.splitlines()[0]

    # No file loads code: the command line has to name the library.
    error = run(tutti, *tiny, code=2).stderr
    assert "ccl.yaml:4:" in error and "--kernel-library FILE" in error, error
    other = os.path.join(top, "libother.so")
    shutil.copy(library, other)
    assert "--kernel-library FILE" in run(tutti, *tiny, "--kernel-library", other, code=2).stderr
    # What is no library of kernels, or names a kernel that is not in it.
    assert "No such file" in run(tutti, *tiny, "--kernel-library", os.path.join(top, "none.so"), code=2).stderr
    assert "kernel library" in run(tutti, *tiny, "--kernel-library", yaml, code=2).stderr
    error = run(tutti, *tiny, "--kernel-library", library, "--set", "algorithms.halo.module=hallo", code=2).stderr
    assert "unknown kernel 'hallo'; did you mean 'halo'?" in error, error

    # The blocks of the author guide: hello world builds and runs as it is printed there, in under 20 lines.
    with open("docs/author-guide.md", encoding="utf-8") as f:
        guide = dict((m[1], m[2]) for m in reversed(list(re.finditer(r"```(\w+)\n(.*?)```", f.read(), re.S))))
    assert guide["cpp"].count("\n") < 20 and guide["python"].count("\n") < 20
    hello = os.path.join(top, "hello")
    os.mkdir(hello)
    faulty = """
#include <ccl/kernel_library.h>
using namespace tutti::ccl;
static tutti::sim::Process<> three(Endpoint& tl, KernelArgs a) {
  for (int i = 0; i < 3; ++i) co_await tl.send(Port::E, a.tensor, tutti::Bytes(4));
  for (int i = 0; i < 3; ++i) co_await tl.recv_into(Port::W, a.tensor + 4096);
}
static tutti::sim::Process<> north(Endpoint& tl, KernelArgs a) { co_await tl.send(Port::N, a.tensor, tutti::Bytes(4)); }
TUTTI_KERNEL_LIBRARY({"three", "ring_1d", three, "custom"}, {"north", "ring_1d", north, "custom"})
"""
    for name, text in (("hello.cpp", guide["cpp"]), ("ccl.yaml", guide["yaml"]), ("faulty.cpp", faulty),
                       ("CMakeLists.txt", guide["cmake"] + "add_library(faulty MODULE faulty.cpp)\n"
                        "target_link_libraries(faulty PRIVATE Tutti::kernel)\n")):
        with open(os.path.join(hello, name), "w", encoding="utf-8") as f:
            f.write(text)
    run("cmake", "-B", "build", "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CXX_COMPILER=" + compiler, cwd=hello)
    run("cmake", "--build", "build", cwd=hello)
    command = guide["sh"].strip().split("\n")[1].split()
    assert command[0] == "tutti"
    assert "hello: custom of 1 KiB" in run(tutti, *command[1:], cwd=hello).stdout

    # Before a run the kernel is done on the mock: what is wrong is said with its place.
    library = os.path.join(hello, "build", "libfaulty.so")
    bad = ["run", "--kernel-library", library, "--set", "profile=tiny", "--set", "algorithms.bad.library=libfaulty.so",
           "--algorithm", "bad", "--no-verify-data", "--set"]
    done = run(tutti, *bad, "algorithms.bad.module=north", code=2)
    assert "before the run: " in done.stderr and "faulty.cpp:8" in done.stderr, done.stderr
    slots = [*bad, "algorithms.bad.module=three", "--set"]
    done = run(tutti, *slots, "defaults.n_slots=2", code=4)
    assert "faulty.cpp:5" in done.stderr and "n_slots 3 would do, not 2" in done.stderr, done.stderr
    assert "before the run" not in run(tutti, *slots, "defaults.n_slots=3").stderr

    # The .deb: its content runs, and it names the libraries that it needs.
    if shutil.which("dpkg-deb"):
        run("cpack", "-G", "DEB", "-B", top, cwd=BUILD)
        (deb,) = glob.glob(os.path.join(top, "*.deb"))
        assert "libyaml-cpp" in run("dpkg-deb", "-f", deb, "Depends").stdout
        root = os.path.join(top, "root")
        run("dpkg-deb", "-x", deb, root)
        run(os.path.join(root, "usr", "bin", "tutti"), "run", "--set", "profile=tiny")
    else:
        print("dpkg-deb is not there: the .deb was NOT tested")
finally:
    shutil.rmtree(top)
