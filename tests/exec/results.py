"""What the tests of unmodified drivers say, as TAP: skipped where a driver's packages are not there (tests/exec/neo, mesa: status 77)."""
import subprocess
import sys


class Results:
    def __init__(self, wrapper, whose, most_lines=None):
        self.there = subprocess.run([wrapper, "true"], capture_output=True, text=True)
        self.whose, self.most_lines = whose, most_lines
        self.number = self.failed = 0

    def __call__(self, good, name, why):
        if self.there.returncode == 77:
            self.skip(name, f"the {self.whose}'s packages are not there")
            return
        self.number += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}")
        if not good:
            print("#", "\n# ".join(why.splitlines()[:self.most_lines]))

    def skip(self, name, why):
        self.number += 1
        print(f"ok {self.number} - {name} # SKIP {why}")

    def end(self):
        print(f"1..{self.number}")
        sys.exit(77 if self.there.returncode == 77 else self.failed != 0)
