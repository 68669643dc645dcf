//go:build go1.26 && !go1.28 && linux && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Room says that nothing can be loaded where the address space is limited, and takes nothing of it.
func TestRoom(t *testing.T) {
	if os.Getenv("GAUCHO_TEST_ROOM") != "" {
		for range 50 { // in all, more than there is near the program
			if err := Room(); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
		os.Exit(0)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for limit, room := range map[string]bool{"unlimited": true, "1000000": false} {
		cmd := exec.Command("sh", "-c", "ulimit -v "+limit+" && exec \"$0\" -test.run '^TestRoom$'", self)
		cmd.Env = append(os.Environ(), "GAUCHO_TEST_ROOM=1")
		out, err := cmd.CombinedOutput()
		if (err == nil) != room || !room && !strings.Contains(string(out), "ulimit -v") {
			t.Errorf("with an address space of %s kB: %v\n%s", limit, err, out)
		}
	}
}
