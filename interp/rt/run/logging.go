package run

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"

	"gaucho/interp/rt/value"
)

// LogPrintf is log.Printf for values of cells' types, and LogPanicf is log.Panicf.
func LogPrintf(format string, v ...any) { log.Output(2, value.Sprintf(format, v...)) }

// LogPanicf is log.Panicf.
func LogPanicf(format string, v ...any) { log.Panic(value.Sprintf(format, v...)) }

// LogFatal is log.Fatal: it ends the cell, LogFatalf and LogFatalln likewise.
func LogFatal(v ...any) {
	log.Output(2, value.Sprint(v...))
	Exit(1)
}

// LogFatalf is log.Fatalf.
func LogFatalf(format string, v ...any) {
	log.Output(2, value.Sprintf(format, v...))
	Exit(1)
}

// LogFatalln is log.Fatalln.
func LogFatalln(v ...any) {
	log.Output(2, value.Sprintln(v...))
	Exit(1)
}

// sourceFlags is what log.SetFlags is given, and panics if it asks for the places of calls, which would be the interpreter's.
func sourceFlags(flags int) int {
	if flags&(log.Lshortfile|log.Llongfile) != 0 {
		panic(value.Thrown{Value: value.Refused{What: "log.Lshortfile or log.Llongfile"}})
	}
	return flags
}

// LogSetFlags is log.SetFlags.
func LogSetFlags(flags int) { log.SetFlags(sourceFlags(flags)) }

// LogNew is log.New.
func LogNew(w io.Writer, prefix string, flags int) *log.Logger {
	return log.New(w, prefix, sourceFlags(flags))
}

// sourceOptions are those of a handler of package slog, which may not ask for the places of calls.
func sourceOptions(o *slog.HandlerOptions) *slog.HandlerOptions {
	if o != nil && o.AddSource {
		panic(value.Thrown{Value: value.Refused{What: "slog.HandlerOptions.AddSource"}})
	}
	return o
}

// LogMethods stand for methods of loggers, by their names in emitted text: they print values of cells' types as Go does,
// and end the cell where the method would end the process.
var LogMethods = map[string]any{
	"LoggerSetFlags": func(l *log.Logger, flags int) { l.SetFlags(sourceFlags(flags)) },

	"LoggerPrintf":  func(l *log.Logger, format string, v ...any) { l.Output(2, value.Sprintf(format, v...)) },
	"LoggerPanicf":  func(l *log.Logger, format string, v ...any) { l.Panic(value.Sprintf(format, v...)) },
	"LoggerFatal":   func(l *log.Logger, v ...any) { l.Output(2, value.Sprint(v...)); Exit(1) },
	"LoggerFatalf":  func(l *log.Logger, format string, v ...any) { l.Output(2, value.Sprintf(format, v...)); Exit(1) },
	"LoggerFatalln": func(l *log.Logger, v ...any) { l.Output(2, value.Sprintln(v...)); Exit(1) },

	"SlogDebug": func(l *slog.Logger, msg string, a ...any) { l.Debug(msg, logged(a)...) },
	"SlogInfo":  func(l *slog.Logger, msg string, a ...any) { l.Info(msg, logged(a)...) },
	"SlogWarn":  func(l *slog.Logger, msg string, a ...any) { l.Warn(msg, logged(a)...) },
	"SlogError": func(l *slog.Logger, msg string, a ...any) { l.Error(msg, logged(a)...) },
	"SlogDebugContext": func(l *slog.Logger, ctx context.Context, msg string, a ...any) {
		l.DebugContext(ctx, msg, logged(a)...)
	},
	"SlogInfoContext": func(l *slog.Logger, ctx context.Context, msg string, a ...any) {
		l.InfoContext(ctx, msg, logged(a)...)
	},
	"SlogWarnContext": func(l *slog.Logger, ctx context.Context, msg string, a ...any) {
		l.WarnContext(ctx, msg, logged(a)...)
	},
	"SlogErrorContext": func(l *slog.Logger, ctx context.Context, msg string, a ...any) {
		l.ErrorContext(ctx, msg, logged(a)...)
	},
	"SlogLog": func(l *slog.Logger, ctx context.Context, level slog.Level, msg string, a ...any) {
		l.Log(ctx, level, msg, logged(a)...)
	},
	"SlogWith": func(l *slog.Logger, a ...any) *slog.Logger { return l.With(logged(a)...) },
	"SlogAdd":  func(r *slog.Record, a ...any) { r.Add(logged(a)...) },
}

// SlogFuncs stand for functions of package slog in the same way.
var SlogFuncs = map[string]any{
	"NewTextHandler": func(w io.Writer, o *slog.HandlerOptions) *slog.TextHandler {
		return slog.NewTextHandler(w, sourceOptions(o))
	},
	"NewJSONHandler": func(w io.Writer, o *slog.HandlerOptions) *slog.JSONHandler {
		return slog.NewJSONHandler(w, sourceOptions(o))
	},

	"Debug": func(msg string, a ...any) { slog.Debug(msg, logged(a)...) },
	"Info":  func(msg string, a ...any) { slog.Info(msg, logged(a)...) },
	"Warn":  func(msg string, a ...any) { slog.Warn(msg, logged(a)...) },
	"Error": func(msg string, a ...any) { slog.Error(msg, logged(a)...) },
	"DebugContext": func(ctx context.Context, msg string, a ...any) {
		slog.DebugContext(ctx, msg, logged(a)...)
	},
	"InfoContext": func(ctx context.Context, msg string, a ...any) { slog.InfoContext(ctx, msg, logged(a)...) },
	"WarnContext": func(ctx context.Context, msg string, a ...any) { slog.WarnContext(ctx, msg, logged(a)...) },
	"ErrorContext": func(ctx context.Context, msg string, a ...any) {
		slog.ErrorContext(ctx, msg, logged(a)...)
	},
	"Log": func(ctx context.Context, level slog.Level, msg string, a ...any) {
		slog.Log(ctx, level, msg, logged(a)...)
	},
	"With":     func(a ...any) *slog.Logger { return slog.With(logged(a)...) },
	"Group":    func(key string, a ...any) slog.Attr { return slog.Group(key, logged(a)...) },
	"Any":      func(key string, v any) slog.Attr { return slog.Any(key, loggedValue(v)) },
	"AnyValue": func(v any) slog.Value { return slog.AnyValue(loggedValue(v)) },
}

// logged are arguments as package slog asks them how they log themselves.
func logged(list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = loggedValue(v)
	}
	return out
}

func loggedValue(v any) any {
	b, ok := v.(value.Box)
	if !ok {
		return v
	}
	if _, ok := b.T.FuncOf("LogValue").(func(any) slog.Value); ok {
		return logValuer{b}
	}
	_, isError := b.T.FuncOf("Error").(func(any) string)
	_, isText := b.T.FuncOf("MarshalText").(func(any) ([]byte, error))
	if b.T.FuncOf("MarshalJSON") != nil {
		isError = false
	}
	switch {
	case isError && isText:
		return logTextError{logError{b}}
	case isError:
		return logError{b}
	case isText:
		return logText{b}
	}
	return v
}

// A logValuer is a box whose type says what is logged of it.
type logValuer struct{ value.Box }

func (l logValuer) LogValue() slog.Value {
	return l.T.FuncOf("LogValue").(func(any) slog.Value)(l.V)
}

// A logText is a box whose type has a text.
type logText struct{ value.Box }

func (l logText) MarshalText() ([]byte, error) {
	return l.T.FuncOf("MarshalText").(func(any) ([]byte, error))(l.V)
}

// A logError is a box whose type is an error and not known to JSON, which an ErrBox is.
type logError struct{ b value.Box }

func (l logError) Unboxed() value.Box             { return l.b }
func (l logError) Error() string                  { return value.ErrBox{Box: l.b}.Error() }
func (l logError) Format(st fmt.State, verb rune) { l.b.Format(st, verb) }

// A logTextError has a text besides.
type logTextError struct{ logError }

func (l logTextError) MarshalText() ([]byte, error) { return logText{l.b}.MarshalText() }

var _ json.Marshaler = logText{}
