package kernel

import (
	"maps"
	"os"
	"runtime"
)

// usage answers what the kernel and the processes under it cost: memory in bytes, processor time in percent of one
// core since the last question.
func (c *channel) usage(*request) (object, error) {
	host, _ := os.Hostname()
	content := object{"status": "ok", "hostname": host, "pid": os.Getpid(), "cpu_count": runtime.NumCPU()}
	maps.Copy(content, c.k.meter.read())
	return content, nil
}
