"""Writes ipywidgets.json: the state with which ipywidgets opens each widget.

python reference.py > ipywidgets.json
"""

import json

import ipywidgets
from ipywidgets.widgets import widget

OPTIONS = {"SelectionSlider": ["a", "b"], "SelectionRangeSlider": ["a", "b"]}
LEFT_OUT = {"Axis", "Controller", "_Media", "Link", "DirectionalLink"}  # gamepads; what is made otherwise

states = {}
for module in widget._registry._registry.values():
    for version in module.values():
        for model in version.values():
            for view in model.values():
                for names in view.values():
                    for cls in names.values():
                        if cls.__name__ in LEFT_OUT or cls.__module__.endswith("controller"):
                            continue
                        w = cls(options=OPTIONS[cls.__name__]) if cls.__name__ in OPTIONS else cls()
                        state = {}
                        for key, value in w.get_state().items():
                            if isinstance(value, memoryview):
                                value = {"bytes": len(value)}
                            if isinstance(value, str) and value.startswith("IPY_MODEL_"):
                                value = "IPY_MODEL_"
                            state[key] = value
                        states[cls.__name__] = state
print(json.dumps({"made by": "ipywidgets " + ipywidgets.__version__, "states": states}, indent=1, sort_keys=True))
