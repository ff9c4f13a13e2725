#!/usr/bin/env python3
"""The jobs of docs/ci: docs/ci.md has them, and their scripts run. ci_jobs.py SOFTGT SOURCE PROGRAM. Prints TAP.

The scripts run by sh in an empty folder with traces, the packages aside: softgt is on PATH. With SOFTGT_CI_CHROOT=1, as root and
with debootstrap, the installation runs, too: in a Debian 12 that debootstrap makes, with a package made of the build."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tap

softgt, source, program = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), os.path.abspath(sys.argv[3])
build = pathlib.Path(softgt).parents[1]
try:
    import yaml
except ImportError:
    print("1..0 # SKIP python3-yaml is not installed")
    sys.exit(0)
result = tap.Results()
scratch = tempfile.TemporaryDirectory()
at = pathlib.Path(scratch.name)


def gitlab():
    """Variables, what installs, what runs (one script each), the files that stay."""
    file = yaml.safe_load((source / "docs/ci/gitlab-ci.yml").read_text())
    job = file["gpu"]
    result(set(file) == {"variables", "gpu"} and set(job) <= {"image", "before_script", "script", "artifacts"} and job["image"] == "debian:12"
           and all(isinstance(line, str) for line in job["before_script"] + job["script"]), "gitlab-ci.yml: keys", file)
    result(job["artifacts"]["reports"]["junit"] == "results/traces.xml" and job["artifacts"]["when"] == "always", "gitlab-ci.yml: the report of JUnit stays")
    # GitLab runs all lines in one shell, which ends at the first that fails.
    return file["variables"], ["\n".join(job["before_script"])], ["\n".join(job["script"])]


def github():
    file = yaml.safe_load((source / "docs/ci/github-workflow.yml").read_text())
    job = file["jobs"]["gpu"]
    steps = job["steps"]
    result(set(file) == {"name", True, "env", "jobs"} and job["container"] == "debian:12" and all(("uses" in s) != ("run" in s) for s in steps), "github-workflow.yml: keys", file)
    result(steps[-1]["uses"].startswith("actions/upload-artifact@") and steps[-1]["if"] == "always()" and steps[-1]["with"]["path"] == "results", "github-workflow.yml: the results stay")
    runs = [s["run"] for s in steps if "run" in s]
    return file["env"], runs[:1], runs[1:]


def folder(name, *more):
    """A project: traces, a program."""
    project = at / name
    (project / "traces").mkdir(parents=True)
    for file in (source / "examples/hello.gts", source / "examples/blits.gts", source / "tests/golden/skl-occlusion_query.aub.xz", *more):
        shutil.copy(file, project / "traces")
    return project


def play(project, variables, scripts, root=None):
    """Exit status and output of the first script that fails, or of all. GitHub's shell is sh -e, GitLab's ends at errors, too."""
    environment = {"PATH": f"{build / 'tools'}:/usr/sbin:/usr/bin:/sbin:/bin" if not root else "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/tmp",
                   "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C", **{k: str(v) for k, v in variables.items()}}
    output = ""
    for script in scripts:
        command = ["sh", "-e", "-c", script] if not root else ["chroot", str(root), "sh", "-e", "-c", f"cd /project\n{script}"]
        done = subprocess.run(command, cwd=project, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=1200, check=False)
        output += done.stdout
        if done.returncode:
            return done.returncode, output
    return 0, output


def package(to):
    """A package of what the build installs."""
    stage = at / f"stage-{result.number}"
    subprocess.run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", stage], stdout=subprocess.DEVNULL, check=True)
    (stage / "DEBIAN").mkdir()
    # usr/local is not for packages, but dpkg does not mind.
    (stage / "DEBIAN/control").write_text("Package: softgt\nVersion: 0\nArchitecture: amd64\nMaintainer: nobody <nobody@localhost>\nDescription: softgt\n"
                                          "Depends: libarchive13, libjson-c5, libpng16-16, libseccomp2, libdrm2, libedit2\n")
    subprocess.run(["dpkg-deb", "-Zgzip", "-z1", "--root-owner-group", "--build", stage, to], stdout=subprocess.DEVNULL, check=True)


def in_chroot(name, variables, installs, runs):
    root = at / f"{name}-root"
    mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
    made = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root, mirror], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    result(made.returncode == 0, f"{name}: a Debian 12", made.stdout)
    if made.returncode:
        return
    shutil.copytree(folder(f"{name}-in-chroot"), root / "project")
    (root / "project/gpu-test").symlink_to("/usr/bin/gpu-test")
    shutil.copy(program, root / "usr/bin/gpu-test")
    (root / "project/debs").mkdir()
    package(root / "project/debs/softgt.deb")
    subprocess.run(["mount", "--bind", "/proc", root / "proc"], check=True)
    try:
        status, output = play("/", variables, [*installs, *runs], root)
    finally:
        subprocess.run(["umount", root / "proc"], check=True)
    result(status == 0 and (root / "project/results/traces.xml").exists() and (root / "project/results/exec.json").exists(), f"{name}: installs and runs in it", output)


def judge(name, variables, runs):
    variables = {**variables, "PROGRAM": program}
    project = folder(name)
    status, output = play(project, variables, runs)
    result(status == 0 and re.search(r"^\d+ submissions in \d+ ms$", output, re.M), f"{name}: what is good passes", output)
    cases = re.findall(r"<testcase [^>]*name=\"([^\"]+)\"", (project / "results/traces.xml").read_text())
    result(cases == ["traces/blits.gts", "traces/hello.gts", "traces/skl-occlusion_query.aub.xz"], f"{name}: the cases of JUnit", cases)
    report = json.loads((project / "results/exec.json").read_text())
    result(report["exit_status"] == 0 and report["failed_on"] == [] and report["submissions"] > 0, f"{name}: the report of exec", report)
    (at / "wrong.gts").write_text("device skl\ndata a { 1 }\nexpect mem &a = 2\n")
    project = folder(f"{name}-wrong", at / "wrong.gts")
    status, output = play(project, variables, runs)
    result(status == 1 and "<failure type=\"failed\"" in (project / "results/traces.xml").read_text(), f"{name}: a trace that fails fails the job", output)
    if name == "github":
        result("::error file=traces/wrong.gts::" in output, f"{name}: and is an annotation", output)
    status, output = play(folder(f"{name}-unused"), {**variables, "PROGRAM": "true"}, runs)
    result(status == 3 and "--fail-on: unused" in output, f"{name}: a program that does not use the device fails the job", output)


page = (source / "docs/ci.md").read_text()
for name, file, job in (("gitlab", "gitlab-ci.yml", gitlab), ("github", "github-workflow.yml", github)):
    result(f"```yaml\n{(source / 'docs/ci' / file).read_text()}```\n" in page, f"docs/ci.md has {file}")
    try:
        variables, installs, runs = job()
        judge(name, variables, runs)
        if os.environ.get("SOFTGT_CI_CHROOT"):
            in_chroot(name, variables, installs, runs)
    except Exception as e:
        result(False, name, repr(e))
result.end()
