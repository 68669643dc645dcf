package grade

import "gaucho/command/grade/fence"

// DescribeFence says which fence this machine gives to submissions. The error is that there is none.
func DescribeFence() (string, error) {
	if err := fence.Available(); err != nil {
		return "", err
	}
	disk := "disk limited by looking at what is written"
	if canMount() {
		disk = "a file system of its own for each"
	}
	memory := "memory limited for each process"
	if canGroup() {
		memory = "a control group for each"
	}
	return "Landlock, seccomp and limits of resources; " + memory + "; " + disk, nil
}
