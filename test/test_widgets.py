"""Widgets in JupyterLab: what a person does with them, and what of them is saved."""

import json
import time

import pytest
from conftest import PATIENCE
from test_browser import OUT, browser, page, server, small as plain  # noqa: F401 (fixtures)

from lab.notebook import Notebook

# The front end takes widgets from the kernel when its part for them is loaded.
TAKES_WIDGETS = "() => 'jupyter.widget' in (window.panel.sessionContext.session.kernel._targetRegistry || {'jupyter.widget': 0})"


@pytest.fixture
def small(page, plain):
    page.wait_for_function(TAKES_WIDGETS)
    return plain


DENSITY = """
func density(bandwidth float64, n int) any {
	rng := rand.New(rand.NewPCG(1, 2))
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	f := plotting.New("", "x", "density").Size(400, 200).YRange(0, 1)
	f.Func("estimate", func(at float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += math.Exp(-(at-v)*(at-v)/(2*bandwidth*bandwidth)) / bandwidth / math.Sqrt(2*math.Pi)
		}
		return sum / float64(n)
	}, -4, 4)
	fmt.Println("bandwidth", bandwidth, "n", n)
	return f
}
"""

# The texts and pictures of all output widgets.
SHOWN = """
async () => {
  const found = [];
  for (const area of document.querySelectorAll('.jupyter-widgets .jp-OutputArea')) {
    const images = [...area.querySelectorAll('img')];
    for (const img of images) await img.decode().catch(() => {});
    found.push({
      text: area.innerText,
      images: images.map(img => [img.src, img.naturalWidth]).concat([...area.querySelectorAll('svg')].map(s => [s.outerHTML, s.clientWidth])),
    });
  }
  return found;
}
"""


def shown(page, text, picture=False):
    """What the output widget shows once it has the text, and the picture that goes with it. The area is built anew when its
    outputs change, so it is looked at as a whole until all is there."""
    deadline = time.monotonic() + PATIENCE
    while True:
        areas = page.evaluate(SHOWN)
        for area in areas:
            if text in area["text"] and (not picture or area["images"] and area["images"][0][1] > 0):
                return area
        assert time.monotonic() < deadline, f"{text!r} is not shown, but {areas}"
        page.wait_for_timeout(100)


def press(page, slider, key, times=1):
    """Moves the handle of a slider by keys."""
    handle = page.locator(".widget-slider .noUi-handle").nth(slider)
    handle.focus()
    for _ in range(times):
        page.keyboard.press(key)


def run_command(page, name):
    page.evaluate("async name => { await window.jupyterapp.commands.execute(name); }", name)


def test_interact(page, server, small):
    """A slider draws a figure anew, also after the page was loaded again; the notebook keeps both."""
    small.run(DENSITY)
    small.run("widgets.Interact(density, widgets.Range(0.1, 2).At(0.5), 100)")
    first = shown(page, "bandwidth 0.5 n 100", picture=True)
    assert first["images"] and first["images"][0][1] > 200, first
    labels = page.locator(".widget-slider .widget-label").all_inner_texts()
    assert labels == ["bandwidth", "n"]
    page.locator(".widget-slider").first.scroll_into_view_if_needed()
    page.screenshot(path=OUT / "widgets-interact.png")

    press(page, 0, "ArrowRight", 5)
    second = shown(page, "bandwidth 0.6 n 100", picture=True)
    assert second["images"] and second["images"][0][0] != first["images"][0][0], "the figure has not changed"
    page.screenshot(path=OUT / "widgets-interact-moved.png")

    # Dragging makes many values; what is drawn in the end is the last.
    handle = page.locator(".widget-slider .noUi-handle").first.bounding_box()
    page.mouse.move(handle["x"] + 5, handle["y"] + 5)
    page.mouse.down()
    for step in range(1, 30):
        page.mouse.move(handle["x"] + 5 + 4 * step, handle["y"] + 5)
    page.mouse.up()
    value = page.locator(".widget-slider .widget-readout").first.inner_text()
    third = shown(page, f"bandwidth {float(value):g} n 100", picture=True)
    assert third["text"].count("bandwidth") == 1, third["text"]

    run_command(page, "@jupyter-widgets/jupyterlab-manager:saveWidgetState")
    run_command(page, "docmanager:save")
    path = small.name
    saved = json.loads((server.work / path).read_text())
    state = saved["metadata"]["widgets"]["application/vnd.jupyter.widget-state+json"]["state"]
    models = {m["model_name"]: m for m in state.values()}
    assert models["FloatSliderModel"]["state"]["value"] == float(value)
    outputs = models["OutputModel"]["state"]["outputs"]
    assert any("image/png" in o.get("data", {}) for o in outputs)

    Notebook(page, server, path)
    shown(page, f"bandwidth {float(value):g} n 100", picture=True)
    page.wait_for_selector(".widget-slider")
    press(page, 1, "ArrowRight")
    shown(page, f"bandwidth {float(value):g} n 101", picture=True)
    page.screenshot(path=OUT / "widgets-reloaded.png")


def test_interact_fails_and_stops(page, small):
    small.run("""
widgets.Interact(func(n int) (any, error) {
	if n == 11 {
		return nil, fmt.Errorf("not %d", n)
	}
	fmt.Println("called with", n)
	for n == 12 {
	}
	return fmt.Sprintf("n is %d", n), nil
})""")
    shown(page, "n is 10")
    press(page, 0, "ArrowRight")
    shown(page, "not 11")
    page.screenshot(path=OUT / "widgets-error.png")
    press(page, 0, "ArrowRight")
    shown(page, "called with 12")
    page.locator('[data-jp-item-name="interrupt"]').click()
    shown(page, "Interrupt")
    press(page, 0, "ArrowRight")
    shown(page, "n is 13")


def test_callbacks(page, small):
    """What a callback prints stands under the cell that installed it, and a running cell sees what is moved."""
    small.run("""
n := widgets.NewIntSlider("n", 0, 10, 3)
b := widgets.NewButton("Press me").OnClick(func() { fmt.Println("pressed at", n.Value()) })
widgets.NewHBox(n, b)""")
    page.locator(".jupyter-button").click()
    page.wait_for_function("() => document.body.innerText.includes('pressed at 3')")
    assert small.text(small.cells()[-1]["outputs"]).endswith("pressed at 3\n")
    small.append("for n.Value() != 5 {\n}\nn.SetValue(8).SetDescription(\"moved\")\nfmt.Println(\"seen\")")
    small.start_active()
    page.wait_for_function("() => window.panel.sessionContext.session.kernel.status === 'busy'")
    press(page, 0, "ArrowRight", 2)
    small.finish()
    assert small.text(small.cells()[-1]["outputs"]) == "seen\n"
    page.wait_for_function("() => document.querySelector('.widget-readout').innerText === '8'")
    assert page.locator(".widget-slider .widget-label").inner_text() == "moved"


GALLERY = """
png := func() []byte { b := plotting.Bundle(plotting.New("an image", "", "").Size(200, 120).Func("", math.Sin, 0, 6)); return b["image/png"].([]byte) }()
d := time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)
left := widgets.NewVBox(
	widgets.NewIntSlider("int", 0, 10, 3), widgets.NewFloatSlider("float", 0, 1, 0.25), widgets.NewFloatLogSlider("log", -2, 2, 1),
	widgets.NewIntRangeSlider("range", 0, 100), widgets.NewFloatRangeSlider("frange", 0, 1),
	widgets.NewIntText("number", 7), widgets.NewBoundedIntText("bounded", 0, 9, 4), widgets.NewFloatText("real", 2.5),
	widgets.NewBoundedFloatText("bounded", 0, 1, 0.5), widgets.NewIntProgress("done", 0, 10, 7).SetBarStyle("success"),
	widgets.NewFloatProgress("done", 0, 1, 0.3), widgets.NewPlay(0, 100, 0), widgets.NewCheckbox("check", true),
	widgets.NewToggleButton("toggle", true).SetIcon("check"), widgets.NewValid("valid", true), widgets.NewButton("button").SetButtonStyle("primary"))
middle := widgets.NewVBox(
	widgets.NewDropdown("dropdown", "a", "b", "c").SetValue("b"), widgets.NewRadioButtons("radio", "a", "b"), widgets.NewSelect("select", "a", "b", "c"),
	widgets.NewSelectionSlider("slide", "mon", "tue"), widgets.NewToggleButtons("toggles", "x", "y"),
	widgets.NewSelectMultiple("many", "a", "b", "c").SetValue([]string{"a", "c"}), widgets.NewSelectionRangeSlider("days", "mon", "tue", "wed"),
	widgets.NewText("text", "a line"), widgets.NewPassword("password"), widgets.NewTextarea("area", "two\\nlines"),
	widgets.NewCombobox("combo", "one", "two"), widgets.NewLabel("a label with $x^2$"), widgets.NewHTML("<b>bold</b>"),
	widgets.NewHTMLMath("<i>with</i> $\\\\mu$"))
out := widgets.NewOutput()
out.Capture(func() { fmt.Println("captured"); display.Show(display.Markdown("**shown**")) })
right := widgets.NewVBox(
	widgets.NewTagsInput("tag", "other"), widgets.NewColorsInput("red", "blue"), widgets.NewIntsInput(1, 2), widgets.NewFloatsInput(1.5, 2),
	widgets.NewColorPicker("colour", "#1f77b4"), widgets.NewDatePicker("date", d), widgets.NewDatetimePicker("moment", d.Add(90*time.Minute)),
	widgets.NewNaiveDatetimePicker("naive", d), widgets.NewTimePicker("time", 13*time.Hour+5*time.Minute), widgets.NewFileUpload(),
	widgets.NewImage(png), out,
	widgets.NewAccordion(widgets.NewLabel("in an accordion")).SetTitles([]string{"first"}).SetSelectedIndex(0),
	widgets.NewTab(widgets.NewLabel("in a tab"), widgets.NewLabel("other")).SetTitles([]string{"one", "two"}).SetSelectedIndex(0),
	widgets.NewStack(widgets.NewLabel("in a stack")).SetSelectedIndex(0),
	widgets.NewGridBox(widgets.NewButton("1"), widgets.NewButton("2"), widgets.NewButton("3"), widgets.NewButton("4")).SetLayout(
		widgets.NewLayout().SetGridTemplateColumns("repeat(2, 80px)").SetBorder("1px solid grey")))
widgets.NewBox(left, middle, right)
"""


def test_gallery(page, small):
    """Every widget is drawn by the front end, without a complaint."""
    said = []
    page.on("console", lambda m: said.append(m.text) if m.type == "error" else None)
    page.set_viewport_size({"width": 1500, "height": 1400})
    outputs = small.run(GALLERY)
    assert [o["output_type"] for o in outputs] == ["execute_result"], outputs
    page.get_by_text("in a stack", exact=True).wait_for()
    page.locator(".widget-slider").first.scroll_into_view_if_needed()
    page.screenshot(path=OUT / "widgets-gallery.png")
    for text in "captured", "shown", "in an accordion", "in a tab", "in a stack":
        page.get_by_text(text, exact=True).first.wait_for(state="attached")
    # Dates and times that a person sets arrive as they are.
    page.locator('.widget-timepicker input').fill("17:45")
    page.locator('.widget-datepicker input').first.fill("2025-03-04")
    page.keyboard.press("Tab")
    with page.expect_file_chooser() as chooser:
        page.locator(".widget-upload").click()
    chooser.value.set_files({"name": "a.bin", "mimeType": "application/x-thing", "buffer": b"\x00\xffdata"})
    text = small.text(small.run("""
kids := right.Children()
for len(kids[9].(*widgets.FileUpload).Value()) == 0 { // the page reads the file before it sends it
}
up := kids[9].(*widgets.FileUpload).Value()
fmt.Println(kids[8].(*widgets.TimePicker).Value(), kids[5].(*widgets.DatePicker).Value().Format(time.DateOnly), len(up))
fmt.Printf("%s %s %d %q\\n", up[0].Name, up[0].Type, up[0].Size, up[0].Content)"""))
    assert text == '17h45m0s 2025-03-04 1\na.bin application/x-thing 6 "\\x00\\xffdata"\n'
    assert not [s for s in said if "widget" in s.lower() or "model" in s.lower()], said


def test_links(page, small):
    """A link works in the page; the program follows."""
    small.run("""
a := widgets.NewIntSlider("a", 0, 10, 3)
p := widgets.NewIntProgress("p", 0, 10, 0)
link := widgets.JSLink(a, "value", p, "value")
widgets.NewVBox(a, p)""")
    page.wait_for_selector(".widget-slider")
    press(page, 0, "ArrowRight", 2)
    page.wait_for_function("() => document.querySelector('.progress-bar').style.width === '50%'")
    small.run("for a.Value() != 5 || p.Value() != 5 {\n}")
    assert small.errors() == []


def test_update_in_place(page, small):
    """A handle changes what an earlier cell shows, also within an output widget."""
    small.run('h := display.Show(display.Markdown("before"))\nout := widgets.NewOutput()\nvar inside *display.Handle\n'
              'out.Capture(func() { inside = display.Show(display.Markdown("inner before")) })\nout')
    page.wait_for_function("() => document.body.innerText.includes('inner before')")
    small.run('h.Update(display.Markdown("after"))\ninside.Update(display.Markdown("inner after"))')
    page.wait_for_function("() => document.body.innerText.includes('inner after')")
    assert small.text(small.code_cells()[-2]["outputs"]).startswith("after")


def kernel_idle(page):
    page.wait_for_function("() => window.panel.sessionContext.session.kernel.status === 'idle'")


def test_callbacks_that_set_each_other(page, small):
    """They end by themselves with an error that names both, and the next cell runs."""
    small.run("""
x, y := widgets.NewCheckbox("on", false), widgets.NewCheckbox("off", false)
x.OnValue(func(v bool) { y.SetValue(v) })
y.OnValue(func(v bool) { x.SetValue(!v) })
widgets.NewHBox(x, y)""")
    page.locator(".widget-checkbox input").first.check()
    page.wait_for_function("() => document.body.innerText.includes('set each other: 500 callbacks')")
    assert small.text(small.run('fmt.Println("next")')) == "next\n"


def test_stop_toggle(page, small):
    """A running cell sees a toggle with a callback pressed and released, and a slider at each place."""
    small.run("""
stop := widgets.NewToggleButton("Stop", false).OnValue(func(v bool) { fmt.Println("toggled", v) })
n := widgets.NewIntSlider("n", 0, 10, 3).OnValue(func(v int) { fmt.Println("moved", v) })
widgets.NewHBox(stop, n)""")
    page.wait_for_selector(".widget-slider")
    small.append("""
pressed := 0
for was := false; pressed < 2 || n.Value() != 7; {
	if v := stop.Value(); v != was {
		was = v
		pressed++
	}
}
fmt.Println("stopped at", n.Value(), stop.Value())""")
    small.start_active()
    page.wait_for_function("() => window.panel.sessionContext.session.kernel.status === 'busy'")
    page.wait_for_timeout(1000)
    toggle = page.locator(".widget-toggle-button")
    toggle.click()
    page.wait_for_timeout(500)
    toggle.click()
    press(page, 0, "ArrowRight", 4)
    small.finish()
    assert small.text(small.cells()[-1]["outputs"]) == "stopped at 7 false\n"
    page.wait_for_function("() => document.body.innerText.includes('moved 7')")


def test_values_stay_what_they_are(page, small):
    """What is typed and cannot be held is taken back; a day is the one that the program says; new options are chosen and told."""
    small.run("""
it := widgets.NewIntText("n", 1)
day := widgets.NewDatePicker("day", time.Date(2024, 1, 1, 0, 0, 0, 0, time.FixedZone("Berlin", 3600)))
dd := widgets.NewDropdown("city", "Bern", "Basel")
widgets.NewVBox(it, day, widgets.Interact(func(city string) any { return "shown: " + city }, dd))""")
    shown(page, "shown: Bern")
    assert page.locator(".widget-datepicker input").input_value() == "2024-01-01"
    field = page.locator(".widget-text input[type=number]").first
    field.fill("12345678901234567890")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('.widget-text input[type=number]').value === '1'")
    field.fill("41")
    page.keyboard.press("Tab")
    small.run('for it.Value() != 41 {\n}\ndd.SetOptions([]string{"Oslo", "Turku"})')
    shown(page, "shown: Oslo")
    assert page.locator(".widget-dropdown select").first.input_value() == "Oslo"


def test_after_a_reload_callbacks_speak_in_the_log(page, server, small):
    small.run("""
b := widgets.NewButton("Press me").OnClick(func() { fmt.Println("pressed now") ; panic("and failed") })
b""")
    run_command(page, "docmanager:save")
    page.reload()
    Notebook(page, server, small.name)
    page.wait_for_selector(".jupyter-button")
    run_command(page, "logconsole:open")
    page.wait_for_selector(".jp-LogConsolePanel")
    page.locator(".jupyter-button").click()
    page.wait_for_function("() => document.querySelector('.jp-LogConsolePanel').innerText.includes('and failed')")
    assert "pressed now" in page.locator(".jp-LogConsolePanel").inner_text()
