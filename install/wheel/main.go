// Wheel packs Gaucho for pip: a wheel a platform, with the binary, the kernelspec and the Python module that teaches
// papermill Go. A wheel is a zip file whose layout is public (packaging.python.org, "Binary distribution format"), so no
// Python is needed to make one. What it writes is the same bytes for the same sources and the same toolchain.
//
//	go run ./install/wheel -o dist              for this platform
//	go run ./install/wheel -o dist -all         for all
//	go run ./install/wheel -o dist -platform windows/amd64
//	go run ./install/wheel -o dist -binary gaucho   with a binary that is built already
//	go run ./install/wheel -o dist -lite        the kernel for JupyterLite
//	go run ./install/wheel -o dist -lite -draft the same in seconds, a fifth larger
package main

import (
	"archive/zip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"flag"
	"fmt"
	"hash/crc32"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"gaucho/install"
	"gaucho/install/licences"
	"gaucho/internal/modpath"
	"gaucho/interp/kit"
)

// tags are the platforms, in pip's words. The binary is static, so every Linux can run it; Go 1.26 needs macOS 12.
var tags = map[string]string{
	"linux/amd64":   "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
	"linux/arm64":   "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
	"darwin/arm64":  "macosx_12_0_arm64",
	"windows/amd64": "win_amd64",
}

//go:embed gaucho_kernel/*.py
var module embed.FS

// Name and version of the distribution; the files in a wheel are named after them.
const distribution = "gaucho_kernel"

const metadata = `Metadata-Version: 2.4
Name: gaucho-kernel
Version: %s
Summary: A Jupyter kernel for Go, with statistics
License-Expression: MIT
License-File: LICENSE
License-File: NOTICE
License-File: LICENSES.txt
Requires-Python: >=3.8
Description-Content-Type: text/markdown

Gaucho is a Jupyter kernel for Go. This package carries the program ` + "`gaucho`" + `, makes it known to Jupyter, and teaches
papermill to set parameters in Go notebooks.
`

// papermill loads what this group names when it is imported, and with it our translator.
const entryPoints = `[papermill.engine]
gaucho = gaucho_kernel.papermill:Engine
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("wheel: ")
	out := flag.String("o", "dist", "the `directory` to write the wheels to")
	all := flag.Bool("all", false, "for every platform")
	platform := flag.String("platform", runtime.GOOS+"/"+runtime.GOARCH, "the `platform` that the wheel is for")
	version := flag.String("version", install.Version, "the release")
	binary := flag.String("binary", "", "a `program` for this platform that is built already")
	lite := flag.Bool("lite", false, "the kernel for JupyterLite, which runs in browsers")
	draft := flag.Bool("draft", false, "with -lite: compress what browsers load in seconds instead of minutes, a fifth larger")
	flag.Parse()
	if *draft && !*lite {
		log.Fatal("-draft needs -lite: the other wheels have no draft")
	}
	if *lite {
		effort := kit.Release
		if *draft {
			effort = kit.Draft
		}
		file, err := writeLite(*out, *version, effort)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(file)
		return
	}
	platforms := []string{*platform}
	if *all {
		platforms = platforms[:0]
		for p := range tags {
			platforms = append(platforms, p)
		}
		slices.Sort(platforms)
	}
	for _, platform := range platforms {
		if tags[platform] == "" {
			log.Fatalf("pip has no name for %s", platform)
		}
		program, err := load(*binary, *version, platform)
		if err != nil {
			log.Fatal(err)
		}
		file, err := write(*out, *version, platform, program)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(file)
	}
}

// load returns the program for a platform: the one that is there, or one that it builds.
func load(binary, version, platform string) ([]byte, error) {
	if binary != "" {
		return os.ReadFile(binary)
	}
	dir, err := os.MkdirTemp("", "gaucho-wheel-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	goos, goarch, _ := strings.Cut(platform, "/")
	overlay, err := carryKit(dir, goos, goarch)
	if err != nil {
		return nil, fmt.Errorf("the compiler for %s: %w", platform, err)
	}
	file := filepath.Join(dir, "gaucho")
	// -w leaves the symbol table, which the native engine reads; -s would not.
	args := []string{"build", "-trimpath", "-buildvcs=auto", "-ldflags", "-w -X " + modpath.Path + "/install.Version=" + version, "-o", file,
		"-tags", "kit", "-overlay", overlay, modpath.Path}
	build := exec.Command("go", args...)
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos, "GOARCH="+goarch)
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("go build for %s: %w", platform, err)
	}
	slim := exec.Command("go", "run", modpath.Own("gaucho/interp/loader/slim"), file)
	slim.Stderr = os.Stderr
	if err := slim.Run(); err != nil {
		return nil, fmt.Errorf("the symbol table of the program for %s: %w", platform, err)
	}
	return os.ReadFile(file)
}

// carryKit packs the kit that a program carries and returns the overlay with which it is built.
func carryKit(dir, goos, goarch string) (overlay string, err error) {
	pack := exec.Command("go", "run", modpath.Own("gaucho/interp/kit/pack"), "-release", "-os", goos, "-arch", goarch, "-o", filepath.Join(dir, "kit.tar.zst"))
	pack.Stderr = os.Stderr
	return filepath.Join(dir, "overlay.json"), pack.Run()
}

// A wheel is a zip file in the making.
type wheel struct {
	zip    *zip.Writer
	record strings.Builder // a line a file: name, hash, size
}

// add puts a file into the wheel and its list.
func (w *wheel) add(name string, data []byte, mode os.FileMode) error {
	sum := sha256.Sum256(data)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(data))
	return w.put(name, data, mode)
}

// firstDay is 1 January 1980, the first day that a zip file can name. All zeros would be no day, which some readers refuse.
const firstDay = 1<<5 | 1

func (w *wheel) put(name string, data []byte, mode os.FileMode) error {
	small, err := deflated(data)
	if err != nil {
		return err
	}
	header := &zip.FileHeader{
		Name: name, Method: zip.Deflate, CRC32: crc32.ChecksumIEEE(data),
		CompressedSize64: uint64(len(small)), UncompressedSize64: uint64(len(data)),
		ModifiedDate: firstDay, //lint:ignore SA1019 CreateRaw writes this and not Modified
	}
	header.SetMode(mode)
	f, err := w.zip.CreateRaw(header)
	if err != nil {
		return err
	}
	_, err = f.Write(small)
	return err
}

// write makes the wheel of a platform and returns its path.
func write(dir, version, platform string, program []byte) (string, error) {
	name := fmt.Sprintf("%s-%s-py3-none-%s.whl", distribution, version, tags[platform])
	return writeWheel(dir, name, func(w *wheel) error { return w.fill(version, platform, program) })
}

// writeWheel makes a wheel of what fill adds and returns its path.
func writeWheel(dir, name string, fill func(*wheel) error) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	defer f.Close()
	w := &wheel{zip: zip.NewWriter(f)}
	if err := fill(w); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if err := w.zip.Close(); err != nil {
		return "", err
	}
	return f.Name(), f.Close()
}

// fill writes the files. pip copies scripts to the environment's bin (Scripts on Windows) and data to its prefix, so that
// the kernelspec finds the binary from its own directory, wherever the environment is and whichever Python looks at it.
func (w *wheel) fill(version, platform string, program []byte) error {
	stem := distribution + "-" + version
	bin, exe := "bin", "gaucho"
	if strings.HasPrefix(platform, "windows/") {
		bin, exe = "Scripts", "gaucho.exe"
	}
	if err := w.add(stem+".data/scripts/"+exe, program, 0o755); err != nil {
		return err
	}
	spec, err := install.Kernelspec(install.Settings{Binary: "{resource_dir}/../../../../" + bin + "/" + exe})
	if err != nil {
		return err
	}
	for _, f := range spec {
		name := path.Join(stem+".data/data/share/jupyter/kernels", install.DefaultName, f.Name)
		if err := w.add(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	sources, err := module.ReadDir(distribution)
	if err != nil {
		return err
	}
	for _, e := range sources {
		data, err := module.ReadFile(distribution + "/" + e.Name())
		if err != nil {
			return err
		}
		if err := w.add(distribution+"/"+e.Name(), data, 0o644); err != nil {
			return err
		}
	}
	var kind strings.Builder
	kind.WriteString("Wheel-Version: 1.0\nGenerator: gaucho\nRoot-Is-Purelib: false\n")
	for tag := range strings.SplitSeq(tags[platform], ".") {
		fmt.Fprintf(&kind, "Tag: py3-none-%s\n", tag)
	}
	return w.finish(stem, []file{
		{"METADATA", fmt.Sprintf(metadata, version)},
		{"WHEEL", kind.String()},
		{"entry_points.txt", entryPoints},
	})
}

// A file is one of those that describe a wheel.
type file struct{ name, text string }

// finish adds what describes the wheel, and the licences.
func (w *wheel) finish(stem string, about []file) error {
	info := stem + ".dist-info/"
	for _, f := range about {
		if err := w.add(info+f.name, []byte(f.text), 0o644); err != nil {
			return err
		}
	}
	if err := w.add(info+"licenses/LICENSES.txt", []byte(licences.Text), 0o644); err != nil {
		return err
	}
	for _, name := range []string{"LICENSE", "NOTICE"} {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("%w; run wheel in the module's directory", err)
		}
		if err := w.add(info+"licenses/"+name, text, 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(&w.record, "%sRECORD,,\n", info)
	return w.put(info+"RECORD", []byte(w.record.String()), 0o644)
}
