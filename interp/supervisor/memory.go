package supervisor

import "fmt"

// memoryLimit returns the bytes that a worker may use, 0 for no limit: what was asked for, or 80% of what there is.
func memoryLimit(asked int64) uint64 {
	switch {
	case asked < 0:
		return 0
	case asked > 0:
		return uint64(asked)
	}
	return totalMemory() / 10 * 8
}

func bytesText(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
}
