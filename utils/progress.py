"""How far a long run is, on stderr, every ten seconds."""
import sys
import time


def progress(items, total, what):
    """The items, one by one; `total` of them are expected."""
    start = said = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if now - said >= 10:
            print(f"{done} of {total} {what} in {now - start:.0f} s", file=sys.stderr, flush=True)
            said = now
        yield item
