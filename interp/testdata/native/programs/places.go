package main

import (
	"fmt"
	"log"
	"log/slog"
	"os"
	"runtime"
)

func where() {
	pc, file, line, ok := runtime.Caller(1)
	fmt.Println(runtime.FuncForPC(pc).Name(), file[len(file)-5:], line, ok)
}

type T struct{}

func (T) M() { where() }

func main() {
	log.SetFlags(log.Lshortfile)
	log.SetOutput(os.Stdout)
	log.Println("here")
	l := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{AddSource: true, ReplaceAttr: func(g []string, a slog.Attr) slog.Attr {
		if a.Key == "time" {
			return slog.Attr{}
		}
		return a
	}}))
	l.Info("hello")
	where()
	T{}.M()
	func() { where() }()
	defer where()
}
