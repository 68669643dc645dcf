package kernel

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A meter measures this process and its descendants, and the machine.
type meter struct {
	mu    sync.Mutex
	at    time.Time
	ticks float64    // of the whole tree, at that time
	host  [2]float64 // busy and all ticks of the machine
}

// clockTick is the unit of the times in /proc, 1/100 s on every Linux that Go runs on.
const clockTick = 10 * time.Millisecond

func (m *meter) read() object {
	m.mu.Lock()
	defer m.mu.Unlock()
	var memory, own, ticks float64
	for _, pid := range descendants(os.Getpid(), nil) {
		m := residentMemory(pid)
		if memory += m; pid == os.Getpid() {
			own = m
		}
		ticks += processTicks(pid)
	}
	now, host := time.Now(), hostTicks()
	content := object{
		"kernel_memory": memory, "kernel_cpu": 0.0,
		// What cells use, apart from the kernel itself.
		"gaucho": object{"kernel_memory": own, "worker_memory": memory - own},
	}
	if !m.at.IsZero() {
		spent := time.Duration(ticks-m.ticks) * clockTick
		content["kernel_cpu"] = max(0, 100*spent.Seconds()/now.Sub(m.at).Seconds())
		if all := host[1] - m.host[1]; all > 0 {
			content["host_cpu_percent"] = 100 * (host[0] - m.host[0]) / all
		}
	}
	m.at, m.ticks, m.host = now, ticks, host
	if v := hostMemory(); v != nil {
		content["host_virtual_memory"] = v
	}
	return content
}

// descendants appends a process and all below it.
func descendants(pid int, to []int) []int {
	to = append(to, pid)
	tasks, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, t := range tasks {
		children, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, t.Name()))
		for _, c := range strings.Fields(string(children)) {
			if n, err := strconv.Atoi(c); err == nil {
				to = descendants(n, to)
			}
		}
	}
	return to
}

// residentMemory is the memory of a process in bytes, its share of what it has in common with others.
func residentMemory(pid int) float64 {
	for _, source := range []struct{ file, key string }{{"smaps_rollup", "Pss:"}, {"status", "VmRSS:"}} {
		if kb, ok := procField(fmt.Sprintf("/proc/%d/%s", pid, source.file), source.key); ok {
			return kb * 1024
		}
	}
	return 0
}

// procField finds the number after a key in a file of lines "key number ...".
func procField(file, key string) (float64, bool) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		if f := strings.Fields(lines.Text()); len(f) > 1 && f[0] == key {
			n, err := strconv.ParseFloat(f[1], 64)
			return n, err == nil
		}
	}
	return 0, false
}

// processTicks is the processor time of a process so far, in clock ticks.
func processTicks(pid int) float64 {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // the name before may hold anything
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.ParseFloat(f[11], 64)
	system, _ := strconv.ParseFloat(f[12], 64)
	return user + system
}

// hostTicks is the busy and the whole processor time of the machine, in clock ticks.
func hostTicks() (t [2]float64) {
	data, _ := os.ReadFile("/proc/stat")
	line, _, _ := strings.Cut(string(data), "\n")
	for i, f := range strings.Fields(line) {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil || i > 8 { // guest time is part of user time
			continue
		}
		t[1] += n
		if i != 4 && i != 5 { // idle, waiting for input
			t[0] += n
		}
	}
	return t
}

// hostMemory says how much memory the machine has, in bytes.
func hostMemory() object {
	total, ok := procField("/proc/meminfo", "MemTotal:")
	available, ok2 := procField("/proc/meminfo", "MemAvailable:")
	free, _ := procField("/proc/meminfo", "MemFree:")
	if !ok || !ok2 || total == 0 {
		return nil
	}
	return object{
		"total": total * 1024, "available": available * 1024, "free": free * 1024,
		"used": (total - available) * 1024, "percent": 100 * (total - available) / total,
	}
}
