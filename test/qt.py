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


def wait(done):
    deadline = time.monotonic() + 30
    while not done() and time.monotonic() < deadline:
        app.processEvents()
        time.sleep(0.01)


def shown():
    return widget._control.toPlainText()


wait(lambda: "In [1]:" in shown())
for number, cell in enumerate(sys.argv[1:], 1):
    # Return runs the cell if the kernel calls it complete.
    widget.input_buffer = cell
    widget.execute(interactive=True)
    wait(lambda: f"In [{number + 1}]:" in shown())
print(shown())
client.stop_channels()
manager.shutdown_kernel(now=True)
