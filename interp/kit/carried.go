package kit

import (
	"archive/tar"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// The carried kit is one line, "gaucho kit ID", and a compressed archive of the kit's directory. make puts it in the place
// of the file here, which is empty.
//
//go:embed kit.tar.zst
var kitFile string

const head = "gaucho kit "

// Carried reports whether the program carries its kit, so that compiling needs nothing else.
func Carried() bool {
	_, ok := carriedID()
	return ok
}

// carriedID is the name of the kit that the program carries, and whether it carries one.
func carriedID() (string, bool) {
	line, _, _ := strings.Cut(kitFile[:min(len(kitFile), 200)], "\n")
	id, ok := strings.CutPrefix(line, head)
	return id, ok
}

// carried is the archive of the kit.
func carried() io.Reader {
	_, archive, _ := strings.Cut(kitFile, "\n")
	return strings.NewReader(archive)
}

// Unpacked has the sources of the module gaucho from the kit that the program carries, which is unpacked when one is first
// opened.
var Unpacked fs.FS = unpacked(sync.OnceValues(func() (fs.FS, error) {
	k, err := Open(context.Background(), func(string, ...any) {})
	if err != nil {
		return nil, err
	}
	return os.DirFS(filepath.Join(k.Dir, sourceDir)), nil
}))

type unpacked func() (fs.FS, error)

func (u unpacked) Open(name string) (fs.File, error) {
	f, err := u()
	if err != nil {
		return nil, err
	}
	return f.Open(name)
}

// unpack writes an archive's files into a directory.
func unpack(dir string, archive io.Reader) error {
	z, err := zstd.NewReader(archive)
	if err != nil {
		return err
	}
	defer z.Close()
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the compiler that comes with Gaucho cannot be unpacked: %w", err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if !filepath.IsLocal(h.Name) {
			return fmt.Errorf("the archive of the compiler has a file %s", h.Name)
		}
		file := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
		f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, os.FileMode(h.Mode)&0o700)
		if err != nil {
			return err
		}
		_, err = io.Copy(f, r)
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
}

// sourceDir is the directory of a carried kit that has the module's sources.
const sourceDir = "source"

// Pack writes the carried form of a kit in a directory for the platform, to which it adds the sources.
func Pack(w io.Writer, dir, goos, goarch string, effort Effort) error {
	if err := copySources(filepath.Join(dir, sourceDir)); err != nil {
		return err
	}
	var files, archive bytes.Buffer
	t := tar.NewWriter(&files)
	if err := errors.Join(t.AddFS(os.DirFS(dir)), t.Close()); err != nil {
		return err
	}
	if err := Compress(&archive, &files, effort); err != nil {
		return err
	}
	id := fmt.Sprintf("%s-%s-%s-%s", runtime.Version(), goos, goarch, name(archive.String()))
	_, err := fmt.Fprintf(w, "%s%s\n%s", head, id, archive.Bytes())
	return err
}

// window is how far back the compressor looks: the compiler and the assembler have much in common.
const window = 26 // bits

// Effort is how hard Compress tries.
type Effort int

const (
	Draft   Effort = iota // seconds: for this machine
	Release               // minutes, and a fifth fewer bytes: for what others download
)

// Compress writes text as zstd has it. Where the command zstd is, that does it, as its highest level, which the Go package lacks,
// saves two of thirteen megabytes.
func Compress(w io.Writer, text io.Reader, effort Effort) error {
	level, levels := zstd.SpeedDefault, []string{"-9"}
	if effort == Release {
		level, levels = zstd.SpeedBestCompression, []string{"--ultra", "-22"}
	}
	if command, err := exec.LookPath("zstd"); err == nil {
		cmd := exec.Command(command, append(levels, fmt.Sprintf("--long=%d", window), "--stdout", "--quiet")...)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = text, w, os.Stderr
		return cmd.Run()
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(level), zstd.WithWindowSize(1<<window))
	if err != nil {
		return err
	}
	_, err = io.Copy(z, text)
	return errors.Join(err, z.Close())
}
