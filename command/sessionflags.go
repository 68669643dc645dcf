package command

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"gaucho/interp"
)

// addSessionFlags adds the flags of every command that runs cells.
func addSessionFlags(fs *flag.FlagSet, o *interp.Options) {
	fs.StringVar(&o.Engine, "engine", os.Getenv("GAUCHO_ENGINE"), "the `engine` that runs cells: native, which compiles them, or yaegi, which interprets them; by default the value of GAUCHO_ENGINE")
	fs.Func("memory", "how much memory cells may use: a `size` such as 512MB or 4GB; by default 80% of the machine's or container's, or of MEM_LIMIT, in bytes",
		func(s string) (err error) {
			o.MemoryLimit, err = parseSize(s)
			return err
		})
	o.Waiting = waiting
	fs.BoolVar(&o.NoShell, "no-shell", false, "refuse !command and %%bash in cells")
}

// parseSize reads a number of bytes: a number, and a unit of powers of 1024 (KB and KiB are the same here).
func parseSize(s string) (int64, error) {
	num := strings.TrimRight(strings.ToUpper(strings.TrimSpace(s)), "IB")
	shift := 0
	if num != "" {
		if i := strings.IndexByte("KMGT", num[len(num)-1]); i >= 0 {
			shift = 10 * (i + 1)
			num = num[:len(num)-1]
		}
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(num), 64)
	if v = v * math.Pow(2, float64(shift)); err != nil || !(v >= 1 && v < math.MaxInt64) {
		return 0, fmt.Errorf("must be a size such as 512MB or 4GB")
	}
	return int64(v), nil
}
