package run

import (
	"io"

	"gaucho/interp/rt/value"
)

// The functions below are those of package value, and of fmt, with the streams of the running goroutine's cell.

// Println is fmt.Println to the cell's standard output.
func Println(a ...any) (n int, err error) { return value.Fprintln(Stdout, a...) }

// Printf is fmt.Printf to the cell's standard output.
func Printf(format string, a ...any) (n int, err error) { return value.Fprintf(Stdout, format, a...) }

// Print is fmt.Print to the cell's standard output.
func Print(a ...any) (n int, err error) { return value.Fprint(Stdout, a...) }

// Fprintln is fmt.Fprintln; os.Stdout and os.Stderr stand for the cell's streams.
func Fprintln(w io.Writer, a ...any) (n int, err error) { return value.Fprintln(writerOf(w), a...) }

// Fprintf is fmt.Fprintf; os.Stdout and os.Stderr stand for the cell's streams.
func Fprintf(w io.Writer, format string, a ...any) (n int, err error) {
	return value.Fprintf(writerOf(w), format, a...)
}

// Fprint is fmt.Fprint; os.Stdout and os.Stderr stand for the cell's streams.
func Fprint(w io.Writer, a ...any) (n int, err error) { return value.Fprint(writerOf(w), a...) }

// BuiltinPrint is the built-in function print: it writes to the cell's standard error.
func BuiltinPrint(args ...any) { io.WriteString(Stderr, value.BuiltinPrint(args...)) }

// BuiltinPrintln is the built-in function println.
func BuiltinPrintln(args ...any) { io.WriteString(Stderr, value.BuiltinPrintln(args...)) }

// Scan is fmt.Scan from the cell's standard input, Scanln and Scanf likewise.
func Scan(a ...any) (int, error) { return value.Fscan(Stdin, a...) }

// Scanln is fmt.Scanln.
func Scanln(a ...any) (int, error) { return value.Fscanln(Stdin, a...) }

// Scanf is fmt.Scanf.
func Scanf(format string, a ...any) (int, error) { return value.Fscanf(Stdin, format, a...) }
