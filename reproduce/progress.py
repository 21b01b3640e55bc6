# SPDX-License-Identifier: GPL-2.0-only
"""Progress where the output is not a terminal: a line now and then."""

import sys
import time

LINE_S = 15  # between lines


class Lines:
    """Lines on stderr, each LINE_S after the one before; what comes sooner is not told."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def tell(self, text: str) -> None:
        """Prints a line if it is time for one."""
        if time.monotonic() - self._last > LINE_S:
            self._last = time.monotonic()
            print(text, flush=True, file=sys.stderr)
