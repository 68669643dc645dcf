package kit

import "golang.org/x/sys/unix"

// system is the build of the system, and the kind of the processor.
func system() string {
	build, _ := unix.Sysctl("kern.osversion")
	processor, _ := unix.Sysctl("machdep.cpu.brand_string")
	return build + " " + processor
}
