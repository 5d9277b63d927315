"""cmake --install, a kernel outside of the tree that is built against what was installed, and the .deb."""
import glob
import os
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
