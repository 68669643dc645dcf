package main

// looksAtItself is the cause of tests that look for their own functions, files or //line directives in what the run time
// says of stacks.
const looksAtItself = "looks at its own stack: names of functions and files, or //line directives, which are the cell's in a session"

// causes are what is known of the tests that fail without a refusal.
var causes = []struct{ engine, why, files string }{
	{"yaegi", "counts allocations, or memory that the garbage collector gives back: the interpreter itself allocates",
		"closure.go heapsampling.go fixedbugs/issue15277.go fixedbugs/issue15281.go fixedbugs/issue4618.go fixedbugs/issue4667.go fixedbugs/issue9110.go"},
	{"yaegi", "waits for finalizers, which the interpreter's frames put off",
		"deferfin.go tinyfin.go fixedbugs/issue5493.go"},
	{"yaegi", "the text of the panic of a method called through a nil pointer by a wrapper",
		"fixedbugs/issue19040.go"},
	{"yaegi", "the numbers in the text of an index out of range, which the interpreter does not know",
		"fixedbugs/issue15002.go fixedbugs/issue30116.go fixedbugs/issue30116u.go fixedbugs/issue75327.go"},
	{"yaegi", "an argument that is -0.0 arrives as 0.0",
		"fixedbugs/issue27718.go"},
	{"yaegi", "a recover that a compiler-made wrapper keeps from recovering",
		"fixedbugs/issue73917.go fixedbugs/issue73920.go"},
	{"yaegi", "%T of a type declared in a generic function",
		"typeparam/nested.go"},
	{"yaegi", "equal constant keys of different types in a map literal of a generic function",
		"typeparam/issue42758.go"},
	{"yaegi", "a reflect.Type of a cell's type, given to a method of another one",
		"reflectmethod7.go"},
	{"yaegi", "a panic in a goroutine of package testing, which has a text of its own",
		"fixedbugs/issue56990.go"},
	{"yaegi", "grows the stack beyond what a worker may use",
		"fixedbugs/issue75569.go"},
	{"native", looksAtItself,
		"devirtualization_nil_panics.go heapsampling.go fixedbugs/bug347.go fixedbugs/bug348.go fixedbugs/issue18149.go fixedbugs/issue21879.go fixedbugs/issue22662.go fixedbugs/issue29504.go fixedbugs/issue58300.go fixedbugs/issue58300b.go fixedbugs/issue7690.go"},
	{"native", "the name of a method that is not exported, in the text of a panic", "recover3.go"},
	{"native", "compares addresses of variables without a size, which Go leaves open", "zerosize.go"},
	{"native", "reflection gives the internal path of the cell's package", "fixedbugs/issue10332.go typeparam/issue49547.go"},
	{"native", "compares the name of a package, which is printed as main, with itself as the run time has it", "fixedbugs/issue19040.go"},
}
