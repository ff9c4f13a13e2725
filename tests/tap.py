"""Results as TAP: result = tap.Results(); result(good, name, why); result.end()."""
import sys


class Results:
    number = failed = 0

    def __call__(self, good, name, why=""):
        """`why` is shown where it is not good, its end where it is long."""
        self.number += 1
        self.failed += not good
        said = str(why).strip()[-3000:].replace("\n", "\n# ") if not good else ""
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}" + (f"\n# {said}" if said else ""), flush=True)

    def skip(self, name, why):
        self.number += 1
        print(f"ok {self.number} - {name} # SKIP {why}", flush=True)

    def end(self):
        print(f"1..{self.number}")
        sys.exit(self.failed != 0)
