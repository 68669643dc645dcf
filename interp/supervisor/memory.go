package supervisor

import (
	"fmt"
	"os"
	"strconv"
)

// memoryLimit returns the bytes that a worker may use, 0 for no limit, and whose limit that is: what was asked for, or 80% of
// what there is. JupyterHub says by MEM_LIMIT, in bytes, what a user's server and all that it starts may use together.
func memoryLimit(asked int64) (limit uint64, whose string) {
	switch {
	case asked < 0:
		return 0, ""
	case asked > 0:
		return uint64(asked), "set by --memory"
	}
	total, whose := totalMemory(), "80% of what this machine or container has; --memory sets another limit"
	if n, err := strconv.ParseUint(os.Getenv("MEM_LIMIT"), 10, 64); err == nil && n > 0 && (n < total || total == 0) {
		total, whose = n, "80% of the "+bytesText(n)+" that this server may use by MEM_LIMIT, which a hub sets"
	}
	return total / 10 * 8, whose
}

func bytesText(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
}
