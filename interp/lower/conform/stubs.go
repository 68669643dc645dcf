package main

import (
	"fmt"
	"io"
	"os"

	"gaucho/interp/rt"
)

func bare(args []any) []any {
	out := make([]any, len(args))
	for i, a := range args {
		if b, ok := rt.Unwrap(a).(rt.Box); ok {
			out[i] = b.V
		} else {
			out[i] = a
		}
	}
	return out
}

// stubs stand in for functions of package rt that are being written.
var stubs = map[string]any{
	"Print":    func(a ...any) (int, error) { return fmt.Print(bare(a)...) },
	"Println":  func(a ...any) (int, error) { return fmt.Println(bare(a)...) },
	"Printf":   func(f string, a ...any) (int, error) { return fmt.Printf(f, bare(a)...) },
	"Sprint":   func(a ...any) string { return fmt.Sprint(bare(a)...) },
	"Sprintln": func(a ...any) string { return fmt.Sprintln(bare(a)...) },
	"Sprintf":  func(f string, a ...any) string { return fmt.Sprintf(f, bare(a)...) },
	"Errorf":   func(f string, a ...any) error { return fmt.Errorf(f, a...) },
	"Fprint":   func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, bare(a)...) },
	"Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(w, bare(a)...) },
	"Fprintf":  func(w io.Writer, f string, a ...any) (int, error) { return fmt.Fprintf(w, f, bare(a)...) },
	"BuiltinPrint": func(a ...any) {
		fmt.Fprint(os.Stderr, bare(a)...)
	},
	"BuiltinPrintln": func(a ...any) { fmt.Fprintln(os.Stderr, bare(a)...) },
}
