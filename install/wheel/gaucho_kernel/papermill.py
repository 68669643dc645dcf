"""Go for papermill: parameters are written into a notebook by the rules of ``gaucho run -p``.

papermill has no entry point for translators, but it imports every engine that a package offers; importing this module,
which the engine's entry point names, registers the translator.
"""

import json
import math
import subprocess

from papermill.engines import NBClientEngine
from papermill.exceptions import PapermillException
from papermill.models import Parameter
from papermill.translators import Translator, papermill_translators

from . import binary


def _jsonable(value):
    """The value as JSON can say it; NaN and the infinities, which JSON lacks, under a key of their own."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"\0float": str(value)}
    if isinstance(value, dict):
        return {str(k): _jsonable(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_jsonable(v) for v in value]
    return value


def _ask(cell, values):
    """What ``gaucho parameters`` answers: the names that the cell declares, and the text that sets the values."""
    question = json.dumps({"cell": cell, "values": _jsonable(values)}, default=str)
    done = subprocess.run([binary(), "parameters"], input=question, capture_output=True, encoding="utf-8")
    if done.returncode != 0:
        raise PapermillException(done.stderr.strip())
    return json.loads(done.stdout)


class GoTranslator(Translator):
    # papermill shows the parameters cell to inspect, then asks codify for the text, which depends on what the cell
    # declares (1 is a float64 for a name that is one). It does so for one notebook after the other.
    _cell = ""

    @classmethod
    def comment(cls, text):
        return f"// {text}"

    @classmethod
    def inspect(cls, parameters_cell):
        cls._cell = parameters_cell["source"]
        declared = _ask(cls._cell, {})["declared"]
        return [Parameter(d["name"], d["type"] or "None", d["default"], d["help"]) for d in declared]

    @classmethod
    def codify(cls, parameters, comment="Parameters"):
        cell, cls._cell = cls._cell, ""
        return cls.comment(comment) + _ask(cell, parameters)["source"] + "\n"


class Engine(NBClientEngine):
    """papermill's own engine. It is here because an entry point must name one."""


papermill_translators.register("go", GoTranslator)
