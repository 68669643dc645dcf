"""A notebook open in JupyterLab, driven through the page's own application object rather than its DOM."""

import json
import uuid

# Waits until the notebook's panel is in front and connected to its kernel, and keeps it as window.panel.
READY = """
async path => {
  const app = window.jupyterapp;
  await app.restored;
  for (const start = Date.now(); Date.now() - start < 60e3;) {
    const panel = app.shell.currentWidget;
    if (panel && panel.context && panel.context.path === path) {
      await panel.context.ready;
      await panel.sessionContext.ready;
      if (panel.sessionContext.session && panel.sessionContext.session.kernel) {
        window.panel = panel;
        return;
      }
    }
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error("the notebook is not connected to its kernel after 60 s");
}
"""

CELLS = """
() => {
  const cells = window.panel.content.model.cells;
  const all = [];
  for (let i = 0; i < cells.length; i++) {
    const c = cells.get(i);
    all.push(c.toJSON());
  }
  return all;
}
"""


# Executes a command of JupyterLab to its end.
COMMAND = """
([name, seconds]) => Promise.race([
  window.jupyterapp.commands.execute(name).then(() => undefined),
  new Promise((_, fail) => setTimeout(() => fail(new Error(`${name} takes longer than ${seconds} s`)), 1000 * seconds)),
])
"""


class Notebook:
    def __init__(self, page, server, path):
        self.page = page
        self.name = path
        # A workspace of its own: no panels of other tests come back.
        page.goto(f"{server.url}/lab/workspaces/{uuid.uuid4().hex}/tree/{path}", wait_until="domcontentloaded")
        page.wait_for_function("() => window.jupyterapp !== undefined", timeout=60_000)
        page.evaluate(READY, path)

    def run_all(self, seconds=60):
        self.page.evaluate(COMMAND, ["notebook:run-all-cells", seconds])
        self.wait_idle()

    def wait_idle(self, timeout=30_000):
        self.page.wait_for_function(
            "() => window.panel.sessionContext.session.kernel.status === 'idle'", timeout=timeout)

    def cells(self):
        """All cells as the file would hold them."""
        return self.page.evaluate(CELLS)

    def code_cells(self):
        return [c for c in self.cells() if c["cell_type"] == "code" and "".join(c["source"]).strip()]

    def errors(self):
        return [o for c in self.code_cells() for o in c["outputs"] if o["output_type"] == "error"]

    def append(self, source):
        """Adds a code cell at the end and makes it the active one, in edit mode with the cursor at its end."""
        self.page.evaluate(
            """source => {
              const content = window.panel.content;
              const shared = content.model.sharedModel;
              shared.insertCell(content.model.cells.length, {cell_type: 'code', source, metadata: {}});
              content.activeCellIndex = content.model.cells.length - 1;
              content.mode = 'edit';
              const editor = content.activeCell.editor;
              editor.focus();
              editor.setCursorPosition(editor.getPositionAt(source.length));
            }""",
            source,
        )

    def start_active(self):
        """Runs the active cell and does not wait for it."""
        self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-cell'); }")

    def run(self, source, seconds=30):
        """Runs a new cell at the end, and returns its outputs."""
        self.append(source)
        self.page.evaluate(COMMAND, ["notebook:run-cell", seconds])
        return self.cells()[-1]["outputs"]

    def text(self, outputs):
        """The plain text of outputs."""
        parts = []
        for o in outputs:
            if o["output_type"] == "stream":
                parts.append("".join(o["text"]))
            elif o["output_type"] == "error":
                parts.append(o["ename"] + ": " + o["evalue"])
            else:
                parts.append("".join(o["data"].get("text/plain", json.dumps(sorted(o["data"])))))
        return "".join(parts)

    def images(self):
        """Size in pixels of each image that the page's outputs show, once it is decoded."""
        return self.page.evaluate(
            """async () => {
              const sizes = [];
              for (const img of document.querySelectorAll('.jp-OutputArea-output img, .jp-OutputArea-output svg')) {
                if (img.decode) await img.decode().catch(() => {});
                const box = img.getBoundingClientRect();
                sizes.push([img.naturalWidth === undefined ? box.width : img.naturalWidth && box.width, box.height]);
              }
              return sizes;
            }"""
        )
