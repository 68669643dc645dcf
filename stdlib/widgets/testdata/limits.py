"""Writes limits.json: what ipywidgets' own models make of values at and beyond their limits.

python limits.py > limits.json
"""

import datetime as d
import json

import ipywidgets
from ipywidgets import *  # noqa: F403 (names in the cases)

CASES = """
IntSlider(value=50, min=0, max=10).value
IntSlider(min=10, max=1).value
FloatSlider(value=50, min=0, max=10).value
FloatSlider(min=10, max=1).value
FloatLogSlider(value=0.5, min=0, max=2).value
FloatLogSlider(min=3, max=2).value
IntRangeSlider(value=[7, 3], max=10).value
IntRangeSlider(value=[3, 20], max=10).value
IntRangeSlider(min=10, max=1).value
FloatRangeSlider(min=10, max=1).value
BoundedIntText(value=5, min=0, max=3).value
BoundedIntText(min=10, max=1).value
BoundedFloatText(min=10, max=1).value
IntProgress(min=10, max=1).value
FloatProgress(min=10, max=1).value
Play(value=200, max=100).value
Play(min=10, max=1).value
DatePicker(value=d.date(2020, 1, 1), min=d.date(2021, 1, 1)).value
DatePicker(min=d.date(2022, 1, 1), max=d.date(2021, 1, 1)).value
TimePicker(value=d.time(9), min=d.time(10)).value
TimePicker(min=d.time(11), max=d.time(10)).value
NaiveDatetimePicker(min=d.datetime(2022, 1, 1), max=d.datetime(2021, 1, 1)).value
DatetimePicker(min=d.datetime(2022, 1, 1, tzinfo=d.timezone.utc), max=d.datetime(2021, 1, 1, tzinfo=d.timezone.utc)).value
ColorPicker(value='nonsense').value
ColorPicker(value='#12g').value
ColorPicker(value='transparent').value
ColorPicker(value='#A80f').value
ColorPicker(value='rgba(1, 2, 3, .5)').value
ColorPicker(value='var(--accent)').value
ColorsInput(value=['nonsense']).value
ButtonStyle(button_color='nonsense').button_color
SliderStyle(handle_color='nonsense').handle_color
ProgressStyle(bar_color='nonsense').bar_color
Tab([Label('a')], selected_index=1).selected_index
Accordion([Label('a')], selected_index=1).selected_index
Stack([Label('a')], selected_index=1).selected_index
SelectionSlider(options=[]).index
SelectionRangeSlider(options=[]).index
Dropdown(options=['a', 'b']).index
Dropdown(options=['a', 'a']).index
options(Dropdown, ['a', 'b'], 0, ['c', 'd'])
options(Select, ['a', 'b'], 1, ['c', 'd'])
options(RadioButtons, ['a', 'b'], 1, ['c'])
options(ToggleButtons, [], None, ['c', 'd'])
options(SelectionSlider, ['a', 'b'], 1, ['c', 'd'])
options(SelectionRangeSlider, ['a', 'b', 'c'], (1, 2), ['d', 'e'])
TagsInput(value=['a'], allowed_tags=['b']).value
TagsInput(value=['']).value
IntsInput(value=[5], min=6).value
FloatsInput(value=[5.5], max=5).value
Combobox(value='x', options=['a'], ensure_option=True).value
ToggleButton(button_style='nonsense').button_style
"""


def options(cls, before, index, after):
    """The index and what observers of the value were told, after new options."""
    w = cls(options=before, index=index)
    told = []
    w.observe(lambda c: told.append(c.new), "value")
    w.options = after
    return [w.index, told]


results = {}
for case in CASES.strip().splitlines():
    try:
        results[case] = eval(case)
    except Exception as e:
        results[case] = "refused: " + str(e).split("\n")[0]
print(json.dumps({"made by": "ipywidgets " + ipywidgets.__version__, "cases": results}, indent=1, default=str))
