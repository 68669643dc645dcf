"""Gaucho, a Jupyter kernel for Go: where its program is, and what tools around notebooks need to know of it."""

import os
import shutil
import sysconfig


def binary():
    """The gaucho program: the one that came with this package, else the one on the path."""
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    found = shutil.which("gaucho", path=path)
    if found is None:
        raise FileNotFoundError("the program gaucho is neither in this Python environment nor on the path")
    return found
