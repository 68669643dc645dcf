"""JupyterLab with Gaucho, in headless Chromium: what test_browser.py drives."""
