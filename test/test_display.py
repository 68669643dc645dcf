"""What values look like in JupyterLab: each form is shown, in light and in dark."""

import base64
import subprocess

import nbformat
import pytest
from conftest import PATIENCE
from lab.contrast import CONTRAST
from test_browser import OUT, browser, page, server, small  # noqa: F401 (fixtures)

FORMS = {
    "struct": """
type Fit struct {
	Name  string
	Slope float64
	Notes []string
}
Fit{"FCFW", -1.42, []string{"paired", "20 replications"}}""",
    "structs": 'fits := []Fit{}\nfor i := range 40 {\n\tfits = append(fits, Fit{fmt.Sprint("run ", i), 1 / float64(i+1), nil})\n}\nfits',
    "map": 'map[string]float64{"MC": 0.5, "QMC": 0.31, "FW": 0.12}',
    "matrix": "m := mat.NewDense(3, 3, []float64{1, 2.5, 0, -1, 1e-3, 4, 0, 0, 1})\nm",
    "large matrix": "rng := rand.New(rand.NewPCG(1, 2))\nbig := mat.NewDense(200, 100, nil)\nbig.Apply(func(i, j int, v float64) float64 { return rng.NormFloat64() }, big)\nbig",
    "vector": "mat.NewVecDense(4, []float64{1, 2, 3, 4.5})",
    "error": 'display.ShowAll(fmt.Errorf("herding: bandwidth is %d, must be positive", -1))',
    "html": 'display.HTML("<b>bold</b> and <i>slanted</i>")',
    "markdown": 'display.Markdown("## A heading\\n\\n* with $x^2$\\n* and `code`\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |")',
    "latex": r'display.LaTeX(`\mathrm{MMD}^2 = w^\top K w - 2 w^\top z + \|\mu_p\|^2`)',
    "image": "img := image.NewRGBA(image.Rect(0, 0, 120, 60))\nfor x := range 120 {\n\tfor y := range 60 {\n\t\timg.Set(x, y, color.RGBA{uint8(2 * x), uint8(4 * y), 120, 255})\n\t}\n}\nimg",
    "svg": """display.SVG(`<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><circle cx="40" cy="40" r="35" fill="teal"/></svg>`)""",
    "gif": """
var gifFile bytes.Buffer
turns := []*plotting.Figure{}
for k := range 6 {
	turns = append(turns, plotting.New("", "x", "").Size(220, 120).Func("", func(x float64) float64 { return math.Sin(x + float64(k)) }, 0, 6))
}
moving := plotting.Animate(turns, 6)
if err := moving.WriteGIF(&gifFile); err != nil {
	panic(err)
}
display.GIF(gifFile.Bytes())""",
    "animation": "moving",
    "pdf": """
var pdfFile bytes.Buffer
w, _ := turns[0].WriterTo(200, 120, "pdf")
w.WriteTo(&pdfFile)
display.PDF(pdfFile.Bytes())""",
    "json": 'display.JSON(map[string]any{"grid": []int{1, 2, 3}, "name": "study"})',
    "javascript": """display.JavaScript(`element.innerHTML = "<span class='by-script'>written by a script</span>"`)""",
    "plot": 'p := plot.New()\np.Title.Text = "gonum"\np.Add(plotter.NewFunction(math.Cos))\np.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -3, 3, -1, 1\np',
    "interactive": """
xs := make([]float64, 50)
ys := make([]float64, 50)
for i := range xs {
	xs[i] = float64(i + 1)
	ys[i] = 3 * math.Pow(xs[i], -0.7)
}
lo, hi := make([]float64, 50), make([]float64, 50)
for i, y := range ys {
	lo[i], hi[i] = 0.8*y, 1.2*y
}
plotting.New("A rate", "$N$", "error").LogLog().Ribbon("MC", xs, ys, lo, hi).Slope(-0.5, "$N^{-1/2}$").Size(420, 260).Interactive()""",
    "slider": 'plotting.Slider("$k$", []string{"0", "1", "2", "3", "4", "5"}, turns)',
    "figure that follows": 'plotting.SetTheme(plotting.Auto)\nplotting.Hist([]int{1, 2, 2, 3}).Labels("", "$x$", "")',
    "progress": 'bar := display.NewProgress(200, "chains")\nbar.Add(150)\nbar.Note("loss 0.25")\nbar.Done()\nfull := display.NewProgress(20, "done")\nfull.Add(20)\nfull.Done()',
}

FOLLOWS = "img.gaucho-follows-theme"

# Where each form is found in its output area.
SEEN = {
    "structs": "table", "map": "table", "matrix": "table", "large matrix": "table", "html": "b", "markdown": "h2", "latex": "mjx-container",
    "image": "img", "svg": "img, svg", "gif": "img", "animation": "img", "figure that follows": FOLLOWS, "pdf": "embed, object, iframe", "json": ".jp-RenderedJSON, [class*=json], [class*=JSON]",
    "javascript": ".by-script", "plot": "img, svg", "interactive": ".vega-embed canvas, .vega-embed svg", "slider": "input[type=range]",
    "progress": "div[style*=flex]",
}

def ground(page):
    """How bright the ground of the figure is that follows the theme, of 255: that of its pixels at the upper left."""
    shot = base64.b64encode(page.locator(FOLLOWS).screenshot()).decode()
    return page.evaluate(
        """async shot => {
          const img = new Image();
          img.src = 'data:image/png;base64,' + shot;
          await img.decode();
          const canvas = new OffscreenCanvas(img.width, img.height).getContext('2d');
          canvas.drawImage(img, 0, 0);
          return Math.max(...canvas.getImageData(3, 3, 1, 1).data.slice(0, 3));
        }""", shot)


def set_theme(page, theme):
    page.evaluate("async theme => { await window.jupyterapp.commands.execute('apputils:change-theme', {theme}); }", f"JupyterLab {theme}")
    page.wait_for_function("light => document.body.dataset.jpThemeLight === light", arg=str(theme == "Light").lower())


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_forms(page, small, theme):
    page.set_viewport_size({"width": 1100, "height": 1300})
    set_theme(page, theme)
    for name, source in FORMS.items():
        outputs = small.run(source)
        assert outputs and all(o["output_type"] != "error" for o in outputs), (name, outputs)
        cell = page.locator(".jp-Cell").last
        if name in SEEN:
            cell.locator(".jp-OutputArea-child").locator(SEEN[name]).first.wait_for(state="attached")
        page.wait_for_timeout(100)
        cell.screenshot(path=OUT / f"display-{theme.lower()}-{name.replace(' ', '-')}.png")
    if theme == "Dark":  # what stands there on its own colours
        weak = [c for c in page.evaluate(CONTRAST) if c[0] < 3]
        assert weak == []
        assert ground(page) < 40
        set_theme(page, "Light")  # figures that are shown already follow too
    assert ground(page) == 255


def test_figures_follow_the_reader_of_a_page(page, server, tmp_path):
    """In a page of gaucho run, where no JupyterLab is."""
    book, written = tmp_path / "figure.ipynb", tmp_path / "figure.html"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(FORMS["figure that follows"])]), book)
    subprocess.run([server.gaucho, "run", "--html", written, "-o", tmp_path / "out.ipynb", book], check=True, timeout=PATIENCE)
    page.goto(written.as_uri())
    assert ground(page) == 255
    page.emulate_media(color_scheme="dark")
    assert ground(page) < 40


def test_slider_in_saved_page(page, small, server):
    """Precomputed figures move without a kernel."""
    small.run(FORMS["gif"])
    small.run(FORMS["slider"])
    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save'); await window.panel.sessionContext.shutdown(); }")
    slider = page.locator('.jp-OutputArea-output input[type=range]').first
    slider.fill("2")
    visible = page.locator('.jp-OutputArea-output img[data-slide]:visible')
    assert visible.count() == 1 and visible.get_attribute("data-slide") == "2"
