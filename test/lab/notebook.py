"""A notebook open in JupyterLab, driven through the page's own application object rather than its DOM."""

import json
import uuid

from conftest import PATIENCE

# Waits until the notebook's panel is in front and connected to its kernel, and keeps it as window.panel.
READY = """
async path => {
  const app = window.jupyterapp;
  await app.restored;
  for (const start = Date.now(); Date.now() - start < 120e3;) {
    const panel = app.shell.currentWidget;
    if (panel && panel.context && panel.context.path === path) {
      await panel.context.ready;
      await panel.sessionContext.ready;
      const session = panel.sessionContext.session;
      if (session && session.kernel && session.kernel.connectionStatus === "connected") {
        window.panel = panel;
        return;
      }
    }
    await new Promise(done => setTimeout(done, 50));
  }
  throw new Error("the notebook is not connected to its kernel after 120 s");
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


# Starts a command of JupyterLab that runs cells. Its end, kept as window.running, is the end of these cells: of each the
# reply, the outputs and the idle are there. The end of the command is not enough, since with the first error it forgets the
# cells after it, also where the error is expected and they run.
START = """
name => {
  const kernel = window.panel.sessionContext.session.kernel, cells = [];
  kernel.requestExecute = (...request) => {
    const future = Object.getPrototypeOf(kernel).requestExecute.apply(kernel, request);
    const cell = {code: request[0].code, ended: false};
    cell.end = future.done.catch(() => {}).then(() => { cell.ended = true; });
    cells.push(cell);
    return future;
  };
  window.started = cells;
  window.running = window.jupyterapp.commands.execute(name).finally(() => { delete kernel.requestExecute; })
    .then(() => Promise.all(cells.map(cell => cell.end)))
    .then(() => new Promise(done => setTimeout(done)));  // the page writes the numbers of cells when it has their replies
}
"""

FINISH = """
seconds => Promise.race([
  window.running,
  new Promise((_, fail) => setTimeout(() => {
    const left = window.started.filter(cell => !cell.ended).map(cell => cell.code);
    fail(new Error(`${left.length} of ${window.started.length} cells have not ended after ${seconds} s, first ${left[0]}`));
  }, 1000 * seconds)),
])
"""


class Notebook:
    def __init__(self, page, server, path):
        self.page = page
        self.name = path
        # A workspace of its own: no panels of other tests come back.
        page.goto(f"{server.url}/lab/workspaces/{uuid.uuid4().hex}/tree/{path}", wait_until="domcontentloaded")
        self.wait()

    def wait(self):
        """Waits until the page shows the notebook and is connected to its kernel."""
        self.page.wait_for_function("() => window.jupyterapp !== undefined")
        self.page.evaluate(READY, self.name)

    def reload(self):
        """Reloads the page, as a browser's button does."""
        self.page.reload(wait_until="domcontentloaded")
        self.wait()

    def run_all(self, seconds=PATIENCE):
        self.start("notebook:run-all-cells")
        self.finish(seconds)

    def start(self, command):
        """Starts a command that runs cells and does not wait for them."""
        self.page.evaluate(START, command)

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
        self.start("notebook:run-cell")

    def finish(self, seconds=PATIENCE):
        """Waits for the cells that were started last."""
        self.page.evaluate(FINISH, seconds)

    def run(self, source, seconds=PATIENCE):
        """Runs a new cell at the end, and returns its outputs."""
        self.append(source)
        self.start_active()
        self.finish(seconds)
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
