"""JupyterLab in headless Chromium: a person's view of the kernel.

Screenshots are left under test/out to be looked at.
"""

import pathlib
import shutil
import subprocess

import nbformat
import pytest
from conftest import PATIENCE
from lab.chromium import launch
from lab.contrast import CONTRAST
from lab.notebook import Notebook
from lab.server import ROOT, Server
from playwright.sync_api import sync_playwright

OUT = pathlib.Path(__file__).resolve().parent / "out"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("lab"))
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def browser():
    with sync_playwright() as p:
        browser = launch(p)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    OUT.mkdir(exist_ok=True)
    context = browser.new_context(viewport={"width": 1280, "height": 1600})
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    yield page
    context.close()


def open_copy(page, server, source, change=None, name=None):
    """Opens a copy of a notebook file. A name of its own gives it a kernel of its own."""
    copy = server.work / (name or source.name)
    shutil.copy(source, copy)
    if change:
        change(copy)
    return Notebook(page, server, str(copy.relative_to(server.work)))


@pytest.fixture
def small(page, server, request):
    return open_copy(page, server, pathlib.Path(__file__).parent / "lab" / "small.ipynb", name=request.node.name + ".ipynb")


def test_figures(page, small, server, tmp_path):
    small.run_all()
    assert small.errors() == []
    assert small.text(small.code_cells()[0]["outputs"]) == "hello, notebook\n"
    assert any(w > 200 and h > 100 for w, h in small.images()), small.images()
    page.screenshot(path=OUT / "small.png")
    # One line each, and what comes of bad input.
    before = len(small.images())
    small.run("""xs, ys, kinds := []int{1, 2, 3, 4}, []float64{2, 1, 4, 3}, []string{"a", "b", "a", "b"}
t := must(table.From(map[string]any{"x": xs, "y": ys, "kind": kinds}))""")
    figures = ["Hist(ys)", "Scatter(xs, ys, plotting.ColorBy(ys))", "Lines(xs, ys)", 'Box(map[string][]float64{"a": ys})', "Violin(ys)",
               "Bar(kinds, xs)", "Pairs(t)", 'Facet(t, "kind", "x", "y")', "Hist([]float64{math.NaN()})",
               'Lines(xs, ys).Labels(strings.Repeat("letters ", 40), "x", "y")']
    for figure in figures:
        assert "image/png" in small.run("plotting." + figure)[0]["data"], figure
    small.run("p := plot.New()\np.Add(plotter.NewFunction(math.Sin))\np.X.Max, p.Y.Min, p.Y.Max = 6, -1, 1\np")
    sizes = small.images()
    assert len(sizes) == before + len(figures) + 1 and all(w > 200 and h > 100 for w, h in sizes), sizes
    assert small.text(small.run('must0(plotting.Hist(ys).Save("figure.pdf"))\nstring(must(os.ReadFile("figure.pdf"))[:5])')).strip('"') == "%PDF-"
    page.screenshot(path=OUT / "everyday-figures.png")
    # Exported, the notebook is a program.
    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save'); }")
    subprocess.run([server.gaucho, "export", "-o", tmp_path / "program", server.work / small.name], check=True, timeout=PATIENCE)
    program = (tmp_path / "program" / "main.go").read_text()
    assert "package main" in program and "plotting.Facet(" in program


@pytest.fixture
def failing(page, server, gate, request):
    """A notebook whose first cell fails when the gate opens, with the tags that are the parameter, and whose others take a while."""
    cells = [nbformat.v4.new_code_cell(gate.wait + '\npanic("first")', metadata={"tags": request.param})]
    cells += [nbformat.v4.new_code_cell("time.Sleep(200 * time.Millisecond)") for _ in range(10)]
    nb = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": "gaucho", "display_name": "Gaucho (Go)"}})
    nbformat.write(nb, server.work / f"{request.node.name}.ipynb")
    return Notebook(page, server, f"{request.node.name}.ipynb")


@pytest.mark.parametrize("failing, counts", [([], [1] + [None] * 10), (["raises-exception"], list(range(1, 12)))], indirect=["failing"],
                         ids=["unexpected", "expected"])
def test_cells_after_an_error(page, failing, gate, counts):
    """After an error no cell runs, and none gets a number; after one that is expected all do, and the tests wait for them."""
    failing.start("notebook:run-all-cells")
    page.evaluate("async () => { await window.panel.sessionContext.session.kernel.requestKernelInfo(); }")  # all cells have arrived
    gate.open()
    failing.finish()
    assert [c["execution_count"] for c in failing.cells()] == counts


def test_error(page, small):
    outputs = small.run('xs := []int{1, 2, 3}\ni := 5\nxs[i]')
    assert outputs[0]["output_type"] == "error"
    assert "index out of range [5] with length 3" in outputs[0]["evalue"]
    assert len(outputs) == 1 and "".join(outputs[0]["traceback"]).count("line 3") == 1  # its place, once
    page.screenshot(path=OUT / "error.png")
    outputs = small.run("undefinedName + 1")
    assert outputs[-1]["ename"] == "CompileError"
    page.screenshot(path=OUT / "compile-error.png")
    assert small.text(small.run("len(xs)")) == "3"


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_way_of_an_error(page, small, theme):
    """Under an error stands the way that it took: source on hovering and on a click, libraries as links."""
    page.evaluate("async theme => { await window.jupyterapp.commands.execute('apputils:change-theme', {theme}); }", f"JupyterLab {theme}")
    small.run("func product(a, b *mat.Dense) *mat.Dense {\n\tvar c mat.Dense\n\tc.Mul(a, b)\n\treturn &c\n}")
    outputs = small.run("x := mat.NewDense(2, 3, nil)\nproduct(x, x)")
    assert [o["output_type"] for o in outputs] == ["error", "display_data"]
    assert not any("<" in line for line in outputs[0]["traceback"])
    way = page.locator(".jp-Cell").last.locator(".jp-RenderedHTML")
    places = way.locator("summary")
    places.first.wait_for()
    assert places.all_inner_texts() == ["Cell [2], line 2", "product, Cell [1], line 3"]
    assert "→   3      c.Mul(a, b)" in places.last.get_attribute("title")
    places.last.click()
    assert way.locator("pre b").last.is_visible()
    link = way.locator("a")
    assert link.get_attribute("href").startswith("https://pkg.go.dev/gonum.org/v1/gonum") and link.get_attribute("href").endswith("/mat#Dense.Mul")
    assert "matrix product" in link.get_attribute("title")
    page.locator(".jp-Cell").last.screenshot(path=OUT / f"way-{theme.lower()}.png")
    assert [c for c in page.evaluate(CONTRAST) if c[0] < 3] == []


def test_completion(page, small):
    small.run_all()
    small.append("strings.Spli")
    page.keyboard.press("Tab")
    page.wait_for_selector(".jp-Completer-item")
    items = page.locator(".jp-Completer-item .jp-Completer-match").all_inner_texts()
    assert {"Split", "SplitAfter", "SplitN"} <= {i.strip().removeprefix("strings.") for i in items}, items
    page.screenshot(path=OUT / "completion.png")
    page.keyboard.press("Enter")
    page.wait_for_selector(".jp-Completer-item", state="hidden")
    assert "".join(small.cells()[-1]["source"]) == "strings.Split"
    small.run('ages := map[string]int{"Ann": 1, "Bert": 2, "Anton": 3}')
    small.append('ages["A')
    page.keyboard.press("Tab")
    page.wait_for_selector(".jp-Completer-item")
    assert page.locator(".jp-Completer-item .jp-Completer-match").all_inner_texts() == ["Ann", "Anton"]


def test_interrupt_button(page, small):
    assert small.text(small.run("kept := 41")) == ""
    small.append("for {\n}")
    small.start_active()
    page.wait_for_function(
        "() => window.panel.sessionContext.session.kernel.status === 'busy'")
    page.locator('[data-jp-item-name="interrupt"]').click()
    small.finish()
    outputs = small.cells()[-1]["outputs"]
    assert [o["ename"] for o in outputs if o["output_type"] == "error"] == ["Interrupt"]
    assert small.text(small.run("kept + 1")) == "42"
    small.run("a := mat.NewDense(1000, 1000, nil)\nvar b mat.Dense")
    small.append("b.Pow(a, 1<<60)")
    small.start_active()
    page.wait_for_function("() => window.panel.sessionContext.session.kernel.status === 'busy'")
    page.locator('[data-jp-item-name="interrupt"]').click()
    small.finish()
    outputs = small.cells()[-1]["outputs"]
    assert [o["ename"] for o in outputs if o["output_type"] == "error"] == ["Interrupt"]
    assert "mat.(*Dense).Pow was stopped before it had finished" in small.text(outputs)
    assert small.text(small.run("kept + 1")) == "42"
    page.screenshot(path=OUT / "interrupt.png")


def offered(page, nb, source):
    """What Tab offers at the end of a cell, first to last; where it is a single thing, that is in the cell, and returned."""
    nb.append(source)
    page.keyboard.press("Tab")
    items = page.locator(".jp-Completer-item:visible .jp-Completer-match")
    page.wait_for_function(
        """source => [...document.querySelectorAll('.jp-Completer-item')].some(item => item.offsetParent)
          || window.panel.content.activeCell.model.sharedModel.getSource() !== source""", arg=source)
    found = [i.strip() for i in items.all_inner_texts()] or ["".join(nb.cells()[-1]["source"])]
    page.screenshot(path=OUT / f"offered-{len(nb.cells())}.png")
    page.keyboard.press("Escape")
    items.first.wait_for(state="hidden")
    page.evaluate("() => window.panel.content.activeCell.model.sharedModel.setSource('')")
    return found


def test_completion_of_what_is_meant(page, small, server):
    """Members across packages, files in strings and after !; Shift-Tab knows own methods. The kernel's answer has the likely first;
    JupyterLab itself sorts what begins alike by its letters."""
    (server.work / "meadow.csv").write_text("plot,height\na,1.5\nb,2\n")
    small.run("""machine := 3
plants := must(table.Load("meadow.csv"))
// Point is a place in the plane.
type Point struct { X, Y float64 }
// Norm is the distance from the origin.
func (p Point) Norm() float64 { return math.Hypot(p.X, p.Y) }
origin := Point{}""")
    assert {"machine", "mat", "math", "maps"} < set(offered(page, small, "ma"))
    assert page.evaluate("""async () => (await window.panel.sessionContext.session.kernel.requestComplete({code: 'ma', cursor_pos: 2})).content.matches.slice(0, 4)""") \
        == ["machine", "mat", "math", "maps"]
    assert offered(page, small, "y := mean")[0] == "stat.Mean"
    assert offered(page, small, 'table.Load("mead') == ["meadow.csv"]
    assert offered(page, small, "!cat mead") == ["meadow.csv"]
    assert offered(page, small, 'plants.GroupBy("') == ["plot", "height"]
    assert offered(page, small, "origin.") == ["X", "Y", "Norm"]
    small.append("origin.Norm(")
    page.keyboard.press("Shift+Tab")
    tip = page.locator(".jp-Tooltip")
    tip.wait_for()
    assert "Norm is the distance from the origin." in tip.inner_text() and "func (Point).Norm() float64" in tip.inner_text()
    page.screenshot(path=OUT / "tooltip.png")
    shown = {name: small.text(small.run(name + "?")) for name in ["Point", "origin"]}
    assert "Norm is the distance from the origin." in shown["Point"] and "Point is a place in the plane." in shown["Point"]
    assert "var origin Point" in shown["origin"] and "{X: 0, Y: 0}" in shown["origin"] and "16 B" in shown["origin"]


# What an error says, or a note under a cell, beside Go's own words.
MISTAKES = {
    "total = 0": "total := declares a variable",
    "while n < 3 {\n}": "Go's while is for",
    "larger := 3 > 2 ? 3 : 2": "Go has no ?: operator",
    "greeting := 'hello'": "A string has double quotes",
    "if n > 2 {\n}\nelse {\n}": "} else {",
    "for i in range(3) {\n}": "for i := range 3 {",
    '"age: " + n': 'fmt.Sprint("age: ", n)',
    'm := strconv.Atoi("3")': "assignment mismatch: 1 variable but strconv.Atoi returns 2 values",
    "if n > 2\n{\n}": "The opening brace must be on this line.",
    'import "nosuch/pkg"\npkg.Do()': "package nosuch/pkg is not in std",
    'a, b := must2(strconv.Atoi("3"))': "must is for a call that returns 1 value and an error.",
    'must(table.Load("ragged.csv"))': "ragged.csv, line 3: 2 fields, the header has 3 fields: nothing for column c",
    'must(table.Load("empty.csv"))': "empty.csv is empty; the first line must name the columns",
    'must(table.From(map[string][]int{"a": {1}})).Floats("b")': "there is no column b; did you mean a? (columns: a)",
}
NOTES = {
    'fmt.Printf("%d", "x")': "fmt.Printf format %d has arg \"x\" of wrong type string",
    'type Person struct{ name string; Age int }\njson.Marshal(Person{"Ann", 3})': "json.Marshal leaves out the field name of Person",
    "make([]float64, 5000)": "// 5000 values",
    '[]map[string]any{{"age": 3}}': "age",
    "x := 3\n%fmt\nif x>2 {\nfmt.Print( x )\n}": "3",
}


def test_everyday(page, small, server):
    """What a cell showed and was is there by number; notes under cells say what would be lost; must says which call failed."""
    small.run("[]float64{1, 2.5}")
    assert small.text(small.run("Out[1][1] + 1")) == "3.5"
    assert small.text(small.run("In[2]")).strip('"') == "Out[1][1] + 1"
    said = small.text(small.run('n, err := strconv.Atoi("many")\nvar half float64 = 7 / 2'))
    assert "err of line 1 is not nil, and nothing read it" in said
    assert "line 2: 7 / 2 is a division of whole numbers, so it is 3" in said
    outputs = small.run('plants := must(table.Load("nowhere.csv"))')
    assert [o["ename"] for o in outputs if o["output_type"] == "error"] and "nowhere.csv: no such file" in outputs[0]["evalue"]
    assert "must(table.Load" in "".join(outputs[0]["traceback"])
    (server.work / "ragged.csv").write_text("a,b,c\n1,2,3\n4,5\n")
    (server.work / "empty.csv").write_text("")
    for source, means in MISTAKES.items():
        errors = [o for o in small.run(source) if o["output_type"] == "error"]
        assert len(errors) == 1 and means in "".join(errors[0]["traceback"]), source
    for source, means in NOTES.items():
        assert means in small.text(small.run(source)), source
    assert "".join(small.cells()[-1]["source"]).endswith("if x > 2 {\n\tfmt.Print(x)\n}")  # the cell itself is formatted
    page.screenshot(path=OUT / "everyday.png")


def test_second_stop(page, small):
    """A call that looks at nothing is waited for; a second Stop ends the worker, and plain data is there again. Stops and deadlocks
    have their place."""
    small.run("kept, list := 41, []float64{1, 2}\np := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 4423), big.NewInt(1))")
    small.append("p.ProbablyPrime(1_000_000)")
    small.start_active()
    page.wait_for_function("() => window.panel.sessionContext.session.kernel.status === 'busy'")
    stop = page.locator('[data-jp-item-name="interrupt"]')
    stop.click()
    page.wait_for_function("() => JSON.stringify(window.panel.content.model.cells.get(window.panel.content.model.cells.length - 1).toJSON()).includes('Interrupt again')")
    stop.click()
    small.finish()
    outputs = small.cells()[-1]["outputs"]
    assert [o["ename"] for o in outputs if o["output_type"] == "error"] == ["Interrupt"]
    assert small.text(small.run("fmt.Sprint(kept+1, list)")).strip('"') == "42 [1 2]"
    for source, place in {"fmt.Print(1)\nfor {\n}": 2, "n := 0\nfmt.Print(1)\nfor i := 0; i >= 0; i++ {\n\tn += i\n}": 3}.items():
        small.append(source)
        small.start_active()
        page.wait_for_function("() => window.panel.content.activeCell.model.outputs.length > 0")  # the cell has printed
        stop.click()
        small.finish()
        assert f"line {place}\x1b" in small.errors()[-1]["traceback"][0], source
    for source in "fmt.Print(1)\nselect {}", "var mu sync.Mutex; mu.Lock()\nmu.Lock()":
        small.run(source)
        assert "line 2\x1b" in small.errors()[-1]["traceback"][0] and "deadlock" in small.errors()[-1]["evalue"], source
    page.screenshot(path=OUT / "second-stop.png")


def test_logo(page, server):
    """The launcher shows Gaucho with its logo."""
    page.goto(f"{server.url}/lab/workspaces/launcher", wait_until="domcontentloaded")
    card = page.locator('.jp-LauncherCard[title*="Gaucho"]').first
    card.wait_for()
    size = card.locator("img").evaluate("async img => { await img.decode(); return [img.naturalWidth, img.getBoundingClientRect().width]; }")
    assert size[0] >= 32 and size[1] > 0
    page.screenshot(path=OUT / "launcher.png")


def test_table_sorts_in_the_page(page, small):
    """A click on a column's name sorts a table of the page, and arrows leaf through it, when the kernel is gone."""
    small.run('must(table.From(map[string][]int{"a": {3, 1, 2, 9, 8, 7, 6, 5, 4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}}))')
    page.evaluate("async () => { await window.panel.sessionContext.shutdown(); }")
    assert page.evaluate("() => window.panel.sessionContext.session") is None
    first = page.locator("[data-gaucho-table] tbody tr").first
    heads = page.locator("[data-gaucho-table] th")
    heads.nth(1).click()
    assert first.inner_text().split() == ["1", "1"]
    heads.nth(1).click()
    assert first.inner_text().split() == ["19", "20"]
    page.locator("[data-gaucho-table] button").nth(1).click()
    assert first.inner_text().split() == ["7", "5"]  # 20 to 6 are on the page before
    page.screenshot(path=OUT / "table.png")
