package kit

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneProcessor: what the compiler has for other processors is not reachable any more, and what it has for its own is.
func TestOneProcessor(t *testing.T) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	sources := filepath.Join(strings.TrimSpace(string(out)), "src", "cmd")
	config := filepath.Join(sources, "compile", "internal", "ssa", "config.go")
	for arch, its := range map[string]string{"amd64": "rewriteBlockAMD64", "arm64": "rewriteBlockARM64", "riscv64": "rewriteBlockRISCV64"} {
		text, err := withoutOthers(config, arch)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"rewriteBlockAMD64", "rewriteBlockARM64", "rewriteBlockRISCV64", "rewriteBlockPPC64"} {
			if got := strings.Contains(string(text), "c.lowerBlock = "+f+"\n"); got != (f == its) {
				t.Errorf("for %s the compiler has %s: %v", arch, f, got)
			}
		}
	}
	if _, err := withoutOthers(filepath.Join(sources, "compile", "main.go"), "amd64"); err == nil {
		t.Error("a file without a switch over processors is taken")
	}
	placed := map[string]string{}
	err = compilerMain(filepath.Join(sources, "compile"), "amd64", func(file string, text []byte) error {
		placed[file] = string(text)
		return nil
	})
	if err != nil || !strings.Contains(placed["main.go"], "gc.Main(amd64.Init)") || strings.Count(placed["internal/gc/main.go"], "Files(flag.Args())") != 1 {
		t.Errorf("the compiler's main packages are %v, %v", placed, err)
	}
	if err := compilerMain(t.TempDir(), "amd64", func(string, []byte) error { return nil }); !os.IsNotExist(err) {
		t.Errorf("without sources: %v", err)
	}
}
