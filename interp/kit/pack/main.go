// Command pack writes the kit that a program for a platform carries: the Go compiler, built from the sources of the
// toolchain that runs this, and the export data of what cells can import. Beside it, it writes overlay.json, with which go build
// puts the kit and compressed records of studies into the program. It is run in the module's root.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

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
	t := &kit.Toolchain{Command: "go", Env: append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch), Stderr: os.Stderr}
	if release {
		flags, err := exec.Command("go", "env", "GOFLAGS").Output()
		if err != nil {
			return err
		}
		t.Env = append(t.Env, "GOFLAGS="+strings.TrimSpace(string(flags))+" -trimpath")
	}
	dir := filepath.Join(work, "kit")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	if err := t.Fill(context.Background(), dir, goos, goarch, log.Printf); err != nil {
		return err
	}
	log.Print("compressing the kit")
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
	if err := os.WriteFile(out, b.Bytes(), 0o666); err != nil {
		return err
	}
	return overlay(out)
}

// overlay writes overlay.json, and compressed records into records, in the directory of the kit.
func overlay(kitFile string) error {
	dir := filepath.Dir(kitFile)
	replace := map[string]string{filepath.Join("interp", "kit", "kit.tar.zst"): kitFile}
	records, err := filepath.Glob(filepath.Join("stdlib", "reproduction", "*.json"))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "records"), 0o777); err != nil {
		return err
	}
	for _, record := range records {
		packed := filepath.Join(dir, "records", filepath.Base(record))
		if err := compress(packed, record); err != nil {
			return err
		}
		replace[record] = packed
	}
	js, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "overlay.json"), js, 0o666)
}

// compress writes a file as gzip has it.
func compress(to, from string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	if err := errors.Join(err, w.Close()); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o666)
}
