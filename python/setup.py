"""What pyproject.toml cannot say: the version is the project's, modules come from the headers, and one binary serves Python 3.9
and later (the limited API).

SOFTGT_BUILD=FOLDER builds against a build folder of meson instead of an installed library (pkg-config).
"""

import pathlib
import re
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from wheel.bdist_wheel import bdist_wheel

folder = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(folder))
import native  # noqa: E402


def version() -> str:
    """The project's, or in a source distribution that which it was made with."""
    project = folder.parent / "meson.build"
    if project.is_file():
        return re.search(r"^  version: '([^']+)'", project.read_text(), re.M)[1]
    return re.search(r"^Version: (.+)$", (folder / "PKG-INFO").read_text(), re.M)[1]


class BuildModules(build_py):
    """The modules of the package, and those that are written from the headers."""

    def run(self):
        super().run()
        native.write_modules(pathlib.Path(self.build_lib) / "softgt")


class Wheel(bdist_wheel):
    def finalize_options(self):
        self.py_limited_api = "cp39"
        super().finalize_options()


setup(version=version(), cffi_modules=["native.py:builder"], cmdclass={"build_py": BuildModules, "bdist_wheel": Wheel})
