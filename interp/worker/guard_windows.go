package worker

// guardProcess has nothing to do: the kernel keeps the worker in a job that ends with it.
func guardProcess() {}

func endChildren() {}
