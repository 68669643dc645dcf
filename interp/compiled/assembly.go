package compiled

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"gaucho/interp/modules"
)

// An assembler assembles the files of a module's package, before and after the compiler compiles the others, as the go command
// does: the compiler must know which functions assembly has, and assembly how the compiler lays out structs.
type assembler struct {
	builder *Builder
	pkg     *modules.Package
	path    string // by which it is compiled
	dir     string // which it makes
}

// begin returns the flags that the compiler needs.
func (a *assembler) begin(ctx context.Context) (flags []string, err error) {
	if len(a.pkg.Assembly) == 0 {
		return nil, nil
	}
	if err := os.Mkdir(a.dir, 0o700); err != nil {
		return nil, err
	}
	header, abis := filepath.Join(a.dir, "go_asm.h"), filepath.Join(a.dir, "symabis")
	if err := os.WriteFile(header, nil, 0o600); err != nil { // empty until the compiler has written it
		return nil, err
	}
	err = a.run(ctx, append([]string{"-gensymabis", "-o", abis}, a.pkg.Assembly...)...)
	return []string{"-symabis", abis, "-asmhdr", header}, err
}

// addTo adds the assembled files to the package's archive.
func (a *assembler) addTo(ctx context.Context, archive string) error {
	for i, file := range a.pkg.Assembly {
		object := filepath.Join(a.dir, fmt.Sprintf("%d.o", i))
		if err := a.run(ctx, "-o", object, file); err != nil {
			return err
		}
		if err := appendObject(archive, fmt.Sprintf("asm%d.o", i), object); err != nil {
			return err
		}
	}
	return nil
}

func (a *assembler) run(ctx context.Context, args ...string) error {
	b := a.builder
	flags := []string{"-p", a.path, "-trimpath", a.pkg.Dir + "=>" + a.pkg.Name(), "-I", a.dir, "-I", b.kit.Include(), "-I", a.pkg.Dir,
		"-D", "GOOS_" + runtime.GOOS, "-D", "GOARCH_" + runtime.GOARCH, "-linkshared"}
	return b.compiler.run(ctx, "asm", append(flags, args...)...)
}

// appendObject adds a file to an archive, in Unix's format of archives.
func appendObject(archive, name, object string) error {
	data, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	member := fmt.Appendf(nil, "%-16s%-12d%-6d%-6d%-8o%-10d`\n%s", name, 0, 0, 0, 0o644, len(data), data)
	if len(member)%2 != 0 { // every member begins at an even offset
		member = append(member, 0)
	}
	f, err := os.OpenFile(archive, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(member)
	return errors.Join(err, f.Close())
}
