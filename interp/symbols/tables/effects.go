package tables

import (
	"expvar"
	"net/http"
	"net/http/pprof"
	"sync"
)

// init empties the default mux. Two packages of the standard library register handlers in http.DefaultServeMux when they are linked. In a Go program
// that is the program's wish; here every package is linked, and a server in a cell must not show profiles because of
// that. So the default mux starts empty, and they register when a cell imports them.
func init() { http.DefaultServeMux = http.NewServeMux() }

// effects are run when the table of a package is first asked for.
var effects = map[string]func(){
	"expvar": sync.OnceFunc(func() { http.Handle("GET /debug/vars", expvar.Handler()) }),
	"net/http/pprof": sync.OnceFunc(func() {
		http.HandleFunc("GET /debug/pprof/", pprof.Index)
		http.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		http.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		http.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		http.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}),
}
