"""Progress of a long call on one line of stderr, in terminals and notebooks only."""

import sys
import time


def shown():
    """Whether stderr is a terminal or that of a notebook."""
    return sys.stderr is not None and (sys.stderr.isatty() or type(sys.stderr).__module__.startswith("ipykernel"))


class Progress:
    """Shows steps done of `total` after the first second.

    show: True, False, or None for `shown()`.
    """

    def __init__(self, total, show=None):
        self.total, self.show = total, shown() if show is None else show
        self.begun = self.last = time.monotonic()
        self.written = 0

    def at(self, done):
        now = time.monotonic()
        if not self.show or now - self.begun < 1.0 or now - self.last < 0.25:
            return
        self.last = now
        speed = done / (now - self.begun)
        left = (self.total - done) / speed if speed > 0 else float("inf")
        self._write(f"{done} of {self.total} steps  {100 * done / self.total:.1f}%  {speed:.4g} steps/s  {left:.0f} s left")

    def _write(self, line):
        sys.stderr.write("\r" + line.ljust(self.written))
        sys.stderr.flush()
        self.written = len(line)

    def close(self):
        if self.written:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()
