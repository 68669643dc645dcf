"""The browser that tests drive: Chromium of the system, or the one that CHROMIUM names."""

import os
import shutil
import sys

try:
    import pytest
except ImportError:  # for a benchmark
    pytest = None

CHROMIUM = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)


def left_out(why):
    """Ends a test that lacks something; where nothing may be left out it fails. A benchmark ends."""
    if pytest is None:
        sys.exit(why)
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def found():
    """Chromium's path."""
    return CHROMIUM or left_out("no Chromium was found; set CHROMIUM to its path")


def launch(p):
    """Starts it without a window, by Playwright."""
    return p.chromium.launch(executable_path=found(), args=["--no-sandbox", "--disable-dev-shm-usage"])
