package loader

// A ReadLog is told, by many goroutines at a time, of what the program is about to read. It is internal/testlog.Interface.
type ReadLog interface {
	Getenv(key string)
	Stat(file string)
	Open(file string)
	Chdir(dir string)
}
