"""scripts/abi as a module: from abi_script import abi."""
import importlib.machinery
import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("abi", str(pathlib.Path(__file__).resolve().parents[2] / "scripts/abi"))
abi = importlib.util.module_from_spec(importlib.util.spec_from_loader("abi", loader))
loader.exec_module(abi)
