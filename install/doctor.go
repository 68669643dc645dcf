package install

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"gaucho/interp/modules"
)

// A State is the outcome of a finding.
type State int

const (
	Good    State = iota
	Note          // something is missing that not everybody needs
	Missing       // something does not work
)

// A Finding is one thing that the doctor looked at.
type Finding struct {
	What   string // one word
	State  State
	Detail string
	Mend   string // what to do about it; empty when nothing needs to be done
}

// Examine looks at what Gaucho and Jupyter need of this machine. Version is Gaucho's; session starts a session, runs a
// cell in it and ends it; engine says what the native engine works with, or what it lacks. It starts a few programs, writes nothing that stays, and takes a second or two, nearly all of
// it Jupyter's.
func Examine(ctx context.Context, version string, session func(context.Context) error,
	engine func(context.Context) (string, error)) []Finding {
	found := []Finding{
		{What: "gaucho", Detail: fmt.Sprintf("%s, %s, %s/%s", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)},
		examineSession(ctx, session),
		examineLoopback(),
	}
	jupyter, dirs := examineJupyter(ctx)
	found = append(found, jupyter)
	found = append(found, Lacking(ctx, Settings{})...)
	found = append(found, examineSpecs(dirs)...)
	found = append(found, examineRuntime())
	found = append(found, examineModules(), examineNative(ctx, engine))
	if _, err := exec.LookPath("code"); err == nil {
		found = append(found, Finding{What: "vscode", State: Note, Detail: "completes Go cells only with a setting",
			Mend: `add "jupyter.completionTriggerCharacters": {"go": ["."]} to settings.json`})
	}
	return found
}

// Report writes findings as lines, and says whether all is well.
func Report(w io.Writer, found []Finding) bool {
	well := true
	for _, f := range found {
		mark := "ok     "
		switch f.State {
		case Note:
			mark = "note   "
		case Missing:
			mark = "missing"
			well = false
		}
		fmt.Fprintf(w, "%s  %-10s %s\n", mark, f.What, f.Detail)
		if f.Mend != "" {
			fmt.Fprintf(w, "%20s -> %s\n", "", f.Mend)
		}
	}
	return well
}

func examineSession(ctx context.Context, session func(context.Context) error) Finding {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	start := time.Now()
	if err := session(ctx); err != nil {
		return Finding{What: "cells", State: Missing, Detail: err.Error(),
			Mend: "this program may not start itself as a worker: is its file executable, and memory free?"}
	}
	return Finding{What: "cells", Detail: fmt.Sprintf("a session started and ran a cell in %d ms", time.Since(start).Milliseconds())}
}

func examineLoopback() Finding {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return Finding{What: "sockets", State: Missing, Detail: err.Error(),
			Mend: "Jupyter talks to kernels over 127.0.0.1; a firewall or sandbox forbids it"}
	}
	l.Close()
	return Finding{What: "sockets", Detail: "127.0.0.1 can be listened on"}
}

// examineJupyter asks the jupyter command for its versions and the directories in which it looks for kernels.
func examineJupyter(ctx context.Context) (Finding, []string) {
	dirs := dataDirs()
	path, err := exec.LookPath("jupyter")
	if err != nil {
		return Finding{What: "jupyter", State: Note, Detail: "no jupyter command was found; gaucho run needs none",
			Mend: "python3 -m venv .venv && .venv/bin/pip install jupyterlab && . .venv/bin/activate"}, dirs
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var paths struct{ Data []string }
	if out, err := exec.CommandContext(ctx, path, "--paths", "--json").Output(); err == nil && json.Unmarshal(out, &paths) == nil {
		dirs = paths.Data
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return Finding{What: "jupyter", State: Missing, Detail: fmt.Sprintf("%s --version: %v", path, err),
			Mend: "reinstall it: pip install --upgrade jupyterlab"}, dirs
	}
	lab := versionIn(string(out), "jupyterlab")
	if lab == "" {
		return Finding{What: "jupyter", State: Note, Detail: path + " has no JupyterLab",
			Mend: "pip install jupyterlab, in the environment of " + path}, dirs
	}
	return Finding{What: "jupyter", Detail: fmt.Sprintf("JupyterLab %s at %s", lab, path)}, dirs
}

// versionIn finds "name : version" in what jupyter --version prints.
func versionIn(text, name string) string {
	for line := range strings.Lines(text) {
		k, v, _ := strings.Cut(line, ":")
		if v = strings.TrimSpace(v); strings.TrimSpace(k) == name && v != "" && v[0] >= '0' && v[0] <= '9' {
			return v
		}
	}
	return ""
}

// examineSpecs looks at each kernelspec that starts Gaucho.
func examineSpecs(dirs []string) []Finding {
	self, _ := os.Executable()
	var found []Finding
	seen := map[string]bool{}
	for _, dir := range dirs {
		specs, _ := filepath.Glob(filepath.Join(dir, "kernels", "*", "kernel.json"))
		for _, file := range specs {
			folder := filepath.Dir(file)
			spec, err := readSpec(folder)
			if err != nil || !spec.ours() || seen[folder] {
				continue
			}
			seen[folder] = true
			found = append(found, examineSpec(folder, spec, self))
		}
	}
	if len(found) == 0 {
		found = append(found, Finding{What: "kernelspec", State: Missing, Detail: "Jupyter does not know Gaucho",
			Mend: "gaucho install, or in a Python environment gaucho install --sys-prefix"})
	}
	return found
}

func examineSpec(folder string, spec *Spec, self string) Finding {
	f := Finding{What: "kernelspec", Detail: folder}
	program := spec.Argv[0]
	path, err := exec.LookPath(program)
	switch {
	case err != nil:
		f.State = Missing
		f.Detail += " starts " + program + ", which is not there or not executable"
		f.Mend = "gaucho install again, with the flags of the first time, or gaucho uninstall"
	case !sameFile(path, self):
		f.State = Note
		f.Detail += " starts another Gaucho, " + path
		f.Mend = "if this one is to be used: gaucho install, with the flags of the first time"
	}
	return f
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// examineRuntime tries whether Jupyter can write its connection files.
func examineRuntime() Finding {
	dir := os.Getenv("JUPYTER_RUNTIME_DIR")
	if dir == "" {
		data, err := userDir()
		if err != nil {
			return Finding{What: "folders", State: Missing, Detail: err.Error(), Mend: "set HOME, or JUPYTER_RUNTIME_DIR"}
		}
		dir = filepath.Join(data, "runtime")
	}
	at := dir
	for {
		if _, err := os.Stat(at); err == nil || filepath.Dir(at) == at {
			break
		}
		at = filepath.Dir(at)
	}
	f, err := os.CreateTemp(at, ".gaucho-*")
	if err != nil {
		return Finding{What: "folders", State: Missing, Detail: "Jupyter cannot write connection files in " + dir,
			Mend: "make it writable, or set JUPYTER_RUNTIME_DIR"}
	}
	f.Close()
	os.Remove(f.Name())
	return Finding{What: "folders", Detail: "connection files go to " + dir}
}

// examineModules says how modules that cells import get here.
func examineModules() Finding {
	command, cache := modules.Fetching()
	if command == "" {
		return Finding{What: "modules", State: Note,
			Detail: "no go command was found: cells can import modules only at versions that go.mod or %get names and that are in " + cache,
			Mend:   "install Go, which fetches modules"}
	}
	return Finding{What: "modules", Detail: fmt.Sprintf("cells can import Go modules; %s fetches them into %s", command, cache)}
}

// examineNative asks for what the native engine needs.
func examineNative(ctx context.Context, engine func(context.Context) (string, error)) Finding {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	detail, err := engine(ctx)
	if err != nil {
		return Finding{What: "native engine", State: Note, Detail: err.Error(),
			Mend: "cells are interpreted, at a tenth to a hundredth of the speed, until that is there"}
	}
	return Finding{What: "native engine", Detail: detail}
}
