package main

import (
	"context"
	"fmt"
	"log"
	"log/slog"
	"os"
)

type E struct{ N int }

func (e E) Error() string { return "E!" }

type LV struct{ a, b int }

func (l LV) LogValue() slog.Value { return slog.IntValue(l.a + l.b) }

type MT struct{ X int }

func (m MT) MarshalText() ([]byte, error) { return []byte("mt"), nil }

type TE struct{ E }

func (TE) MarshalText() ([]byte, error) { return []byte("te"), nil }

type service struct {
	*slog.Logger
	name string
}

func main() {
	log.SetFlags(0)
	log.SetOutput(os.Stdout)
	log.Printf("%T %v", E{1}, E{2})
	l := log.New(os.Stdout, "", 0)
	l.Printf("%T", LV{1, 2})
	p := l.Printf
	p("%T", LV{1, 2})
	q := log.Printf
	q("%T %d%%", MT{1}, 3)
	func() {
		defer func() { fmt.Println(recover()) }()
		l.Panicf("%T", E{})
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		log.Panicf("%T", E{})
	}()
	strip := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == "time" {
			return slog.Attr{}
		}
		return a
	}
	o := &slog.HandlerOptions{ReplaceAttr: strip}
	tl, jl := slog.New(slog.NewTextHandler(os.Stdout, o)), slog.New(slog.NewJSONHandler(os.Stdout, o))
	ctx := context.Background()
	for _, x := range []*slog.Logger{tl, jl} {
		x.Info("m", "e", E{1}, "lv", LV{1, 2}, "mt", MT{3}, "te", TE{}, slog.Any("any", LV{4, 5}), slog.Group("g", "lv", LV{6, 7}))
		x.With("w", LV{8, 9}).Warn("n", []any{"e", E{2}, "lv", LV{1, 1}}...)
		x.LogAttrs(ctx, slog.LevelError, "a", slog.Any("lv", LV{2, 2}))
		x.Log(ctx, slog.LevelInfo, "p", "x", &LV{1, 5}, "s", []LV{{1, 2}})
		info := x.InfoContext
		info(ctx, "value", "lv", LV{10, 10})
		service{x, "s"}.Error("promoted", "lv", LV{20, 1})
		slog.SetDefault(x)
		slog.Info("default", "lv", LV{20, 2})
	}
	fmt.Println(slog.AnyValue(LV{1, 2}).Kind(), slog.AnyValue(MT{1}).Any(), slog.AnyValue(E{1}).Any() == any(E{1}))
	_, ok := slog.AnyValue(LV{1, 2}).Any().(LV)
	fmt.Println(ok)
}
