// Package install makes Gaucho known to Jupyter: it writes and removes the kernelspec, the directory from which Jupyter
// learns a kernel's command, language and logos, and examines a machine for what is missing.
package install
