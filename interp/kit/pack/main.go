// Command pack writes the kit that a program for a platform carries: the Go compiler, built from the sources of the
// toolchain that runs this, and the export data of what cells can import. It is run in the module's root.
package main

import (
	"bytes"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"

	"gaucho/interp/kit"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	out := flag.String("o", "", "the `file` to write")
	goos := flag.String("os", runtime.GOOS, "the program's GOOS")
	goarch := flag.String("arch", runtime.GOARCH, "the program's GOARCH")
	release := flag.Bool("release", false, "for a program that others get: no path of this machine is in it, and it is compressed for minutes")
	flag.Parse()
	if err := pack(*out, *goos, *goarch, *release); err != nil {
		log.Fatal(err)
	}
}

func pack(out, goos, goarch string, release bool) error {
	work, err := os.MkdirTemp("", "gaucho-kit-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	goCommand := func(args ...string) ([]byte, error) {
		if release && args[0] != "env" && !slices.Contains(args, "-trimpath") {
			args = slices.Insert(args, 1, "-trimpath")
		}
		cmd := exec.Command("go", args...)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
		cmd.Stderr = os.Stderr
		return cmd.Output()
	}
	dir := filepath.Join(work, "kit")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := kit.Fill(dir, goos, goarch, goCommand); err != nil {
		return err
	}
	kit.Sources = os.DirFS(".")
	var b bytes.Buffer
	effort := kit.Draft
	if release {
		effort = kit.Release
	}
	if err := kit.Pack(&b, dir, goos, goarch, effort); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o666)
}
