package main

// causes are what is known of the tests that fail without a refusal.
var causes = []struct{ why, files string }{
	{"counts allocations, or memory that the garbage collector gives back: the interpreter itself allocates",
		"closure.go heapsampling.go fixedbugs/issue15277.go fixedbugs/issue15281.go fixedbugs/issue4618.go fixedbugs/issue4667.go fixedbugs/issue9110.go"},
	{"waits for finalizers, which the interpreter's frames put off",
		"deferfin.go tinyfin.go fixedbugs/issue5493.go"},
	{"looks at the machine's own stack or at lines of it",
		"devirtualization_nil_panics.go inline_literal.go fixedbugs/bug347.go fixedbugs/bug348.go fixedbugs/issue14646.go fixedbugs/issue18149.go fixedbugs/issue21879.go fixedbugs/issue22083.go fixedbugs/issue22662.go fixedbugs/issue27201.go fixedbugs/issue29504.go fixedbugs/issue33724.go fixedbugs/issue4562.go fixedbugs/issue5856.go fixedbugs/issue58300.go fixedbugs/issue7690.go"},
	{"the text of the panic of a method called through a nil pointer by a wrapper",
		"fixedbugs/issue19040.go"},
	{"the numbers in the text of an index out of range, which the interpreter does not know",
		"fixedbugs/issue15002.go fixedbugs/issue30116.go fixedbugs/issue30116u.go fixedbugs/issue75327.go"},
	{"an argument that is -0.0 arrives as 0.0",
		"fixedbugs/issue27718.go"},
	{"a recover that a compiler-made wrapper keeps from recovering",
		"fixedbugs/issue73917.go fixedbugs/issue73920.go"},
	{"%T of a type declared in a generic function",
		"typeparam/nested.go"},
	{"equal constant keys of different types in a map literal of a generic function",
		"typeparam/issue42758.go"},
	{"a reflect.Type of a cell's type, given to a method of another one",
		"reflectmethod7.go"},
	{"a panic in a goroutine of package testing, which has a text of its own",
		"fixedbugs/issue56990.go"},
	{"grows the stack beyond what a worker may use",
		"fixedbugs/issue75569.go"},
}
