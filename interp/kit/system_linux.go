package kit

import "os"

// system is the release of the system's kernel.
func system() string {
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return string(release)
}
