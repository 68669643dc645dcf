package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/install"
	"gaucho/install/lite"
	"gaucho/internal/atomicfile"
	"gaucho/internal/modpath"
	"gaucho/interp/kit"
)

const liteMetadata = `Metadata-Version: 2.4
Name: gaucho-lite
Version: %s
Summary: A kernel for Go, with statistics, in JupyterLite
License-Expression: MIT
License-File: LICENSE
License-File: NOTICE
License-File: LICENSES.txt
Requires-Python: >=3.8
Requires-Dist: jupyterlite-core>=0.8
Requires-Dist: jupyterlab_widgets>=3
Description-Content-Type: text/markdown

Gaucho is a Jupyter kernel for Go. With this package, ` + "`jupyter lite build`" + ` makes a site in which Go notebooks run in the
browser alone.
`

// liteExtension is what JupyterLite's build reads of an extension.
const liteExtension = `{
  "name": "gaucho-lite",
  "version": %q,
  "description": "A kernel for Go in JupyterLite",
  "license": "MIT",
  "jupyterlab": {
    "extension": true,
    "_build": {"load": "static/%s/remoteEntry.js", "extension": "./extension"}
  }
}
`

// writeLite makes the wheel for JupyterLite and returns its path.
func writeLite(dir, version string, effort kit.Effort) (string, error) {
	return writeWheel(dir, fmt.Sprintf("gaucho_lite-%s-py3-none-any.whl", version), func(w *wheel) error { return w.fillLite(version, effort) })
}

func (w *wheel) fillLite(version string, effort kit.Effort) error {
	stem := "gaucho_lite-" + version
	place := stem + ".data/data/share/jupyter/labextensions/gaucho-lite/"
	files, err := liteFiles(version, effort)
	if err != nil {
		return err
	}
	// Files that browsers keep are never those of another release: the directory has another name.
	edition := contentHash(files)
	if err := w.add(place+"package.json", fmt.Appendf(nil, liteExtension, version, edition), 0o644); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := w.add(place+"static/"+edition+"/"+name, files[name], 0o644); err != nil {
			return err
		}
	}
	return w.finish(stem, []file{
		{"METADATA", fmt.Sprintf(liteMetadata, version)},
		{"WHEEL", "Wheel-Version: 1.0\nGenerator: gaucho\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
	})
}

// liteFiles returns what the extension serves, by name.
func liteFiles(version string, effort kit.Effort) (map[string][]byte, error) {
	files, err := lite.Scripts()
	if err != nil {
		return nil, err
	}
	if files["gaucho.wasm.zst"], err = browserProgram(version, effort); err != nil {
		return nil, err
	}
	for _, name := range []string{"docs.bin", "docs.txt"} {
		if files[name], err = os.ReadFile("interp/symbols/data/" + name); err != nil {
			return nil, fmt.Errorf("%w; run wheel in the module's directory", err)
		}
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	if files["wasm_exec.js"], err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return nil, err
	}
	spec, err := install.Kernelspec(install.Settings{Binary: "gaucho"})
	if err != nil {
		return nil, err
	}
	for _, f := range spec {
		if strings.HasPrefix(f.Name, "logo-") {
			files[f.Name] = f.Data
		}
	}
	return files, nil
}

// contentHash is short for what the files hold.
func contentHash(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(files[name]))
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// browserProgram builds the program for browsers, compressed, because servers of plain files do not compress.
func browserProgram(version string, effort kit.Effort) ([]byte, error) {
	dir, err := os.MkdirTemp("", "gaucho-lite-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "gaucho.wasm")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w -X "+modpath.Path+"/install.Version="+version, "-o", file, modpath.Own("gaucho/install/lite/program"))
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=js", "GOARCH=wasm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("go build for js/wasm: %w", err)
	}
	program, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if effort == kit.Draft {
		var b bytes.Buffer
		err := kit.Compress(&b, bytes.NewReader(program), effort)
		return b.Bytes(), err
	}
	return released(program)
}

// released is a program compressed for others. That takes minutes, so the last one is kept in Go's cache.
func released(program []byte) ([]byte, error) {
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(strings.TrimSpace(string(cache)), "gaucho", "lite")
	file := filepath.Join(dir, fmt.Sprintf("%x.zst", sha256.Sum256(program)))
	if data, err := os.ReadFile(file); err == nil {
		return data, nil
	}
	var b bytes.Buffer
	if err := kit.Compress(&b, bytes.NewReader(program), kit.Release); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	earlier, _ := filepath.Glob(filepath.Join(dir, "*.zst"))
	for _, name := range earlier {
		os.Remove(name)
	}
	return b.Bytes(), atomicfile.WriteData(file, b.Bytes())
}
