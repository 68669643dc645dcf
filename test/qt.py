"""What a person does in qtconsole: type cells into its window. Run by test_tools.py in a process of its own, since Qt ends
the process when it finds no display that it likes; prints what the window shows."""

import sys
import time

from qtconsole.manager import QtKernelManager
from qtconsole.rich_jupyter_widget import RichJupyterWidget
from qtpy.QtWidgets import QApplication

app = QApplication(sys.argv[:1])
manager = QtKernelManager(kernel_name="gaucho")
manager.start_kernel()
client = manager.client()
client.start_channels()
widget = RichJupyterWidget()
widget.kernel_manager = manager
widget.kernel_client = client


def shown():
    return widget._control.toPlainText()


def wait(text):
    """Waits until the window shows a text."""
    deadline = time.monotonic() + 120
    while text not in shown():
        if time.monotonic() > deadline:
            manager.shutdown_kernel(now=True)
            sys.exit(f"the window does not show {text!r} after 120 s, but:\n{shown()}")
        app.processEvents()
        time.sleep(0.01)


wait("In [1]:")
for number, cell in enumerate(sys.argv[1:], 1):
    # Return runs the cell if the kernel calls it complete.
    widget.input_buffer = cell
    widget.execute(interactive=True)
    wait(f"In [{number + 1}]:")
print(shown())
client.stop_channels()
manager.shutdown_kernel(now=True)
