package grade

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gaucho/command/grade/fence"
)

// The texts are those of a machine with version 1, of one with version 2, and of a container that sees its own group as /.
func TestCgroupParents(t *testing.T) {
	for _, c := range []struct {
		name, own, mounts string
		want              map[string]string
	}{
		{"version 1", "9:pids:/\n4:cpu,memory:/jobs/7\n0::/\n",
			"30 1 0:20 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,cpu,memory\n31 1 0:21 / /sys/fs/cgroup/pids rw shared:3 - cgroup cgroup rw,pids\n",
			map[string]string{"memory": "/sys/fs/cgroup/memory/jobs/7", "cpu": "/sys/fs/cgroup/memory/jobs/7", "pids": "/sys/fs/cgroup/pids"}},
		{"version 2", "0::/user.slice/user-1000.slice/x.scope\n",
			"30 1 0:20 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n",
			map[string]string{"": "/sys/fs/cgroup/user.slice/user-1000.slice/x.scope"}},
		{"container", "0::/docker/ab/inner\n", "30 1 0:20 /docker/ab /sys/fs/cgroup rw - cgroup2 cgroup rw\n",
			map[string]string{"": "/sys/fs/cgroup/inner"}},
		{"hidden", "4:memory:/jobs/7\n", "30 1 0:20 /jobs/8 /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", map[string]string{}},
	} {
		if got := cgroupParents(c.own, c.mounts); !maps.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func needCgroups(t *testing.T) {
	t.Helper()
	if err := fence.Available(); err != nil {
		t.Skip(err)
	}
	if !canGroup() {
		t.Skip("this user can have no control groups here")
	}
}

// TestCgroupHoldsMemory: a program that takes memory which limits of a process do not see is ended, and the group leaves nothing.
func TestCgroupHoldsMemory(t *testing.T) {
	needCgroups(t)
	g, err := newCgroup(64 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer g.remove()
	// The shell waits until it is in the group. Files in /dev/shm are memory that belongs to no process.
	file := filepath.Join("/dev/shm", filepath.Base(g.dirs[0]))
	defer os.Remove(file)
	cmd := exec.Command("sh", "-c", "read go; exec dd if=/dev/zero bs=1M count=512 of="+file)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := g.add(cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte("go\n")); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Error("512 MB were written in a group of 64")
	}
	if !g.exhausted() {
		t.Error("the group does not say that it was exhausted")
	}
	os.Remove(file)
	g.remove()
	for _, dir := range g.dirs {
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s is left", dir)
		}
	}
}

// TestCgroupOfSubmission: the processes of a submission are in a group of their own, which is gone afterwards.
func TestCgroupOfSubmission(t *testing.T) {
	needCgroups(t)
	o := patient()
	groups := func() (all []string) {
		own, _ := os.ReadFile("/proc/self/cgroup")
		mounts, _ := os.ReadFile("/proc/self/mountinfo")
		for _, dir := range cgroupParents(string(own), string(mounts)) {
			found, _ := filepath.Glob(filepath.Join(dir, "gaucho-grade-*"))
			all = append(all, found...)
		}
		return all
	}
	held := make(chan bool, 1)
	stop := make(chan struct{})
	go func() {
		for {
			select {
			case <-stop:
				held <- false
				return
			case <-time.After(time.Millisecond):
			}
			for _, dir := range groups() {
				procs, _ := os.ReadFile(filepath.Join(dir, "cgroup.procs"))
				if len(strings.Fields(string(procs))) >= 2 { // the examiner and its worker
					held <- true
					return
				}
			}
		}
	}()
	got := handInWith(t, assignment(t), map[string]string{"right": right}, func() *Options { return o })
	close(stop)
	if !<-held {
		t.Error("no group held an examiner and its worker")
	}
	if r := got["right"]; r.Points != 4 && r.End != "" {
		t.Errorf("%+v", r)
	}
}
