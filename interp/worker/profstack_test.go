package worker

import (
	"bytes"
	"reflect"
	"testing"

	pprof "github.com/google/pprof/profile"

	"gaucho/internal/modpath"
)

// TestParseProfile: stacks come outermost first, begin with the cell, and have one frame for the interpreter.
func TestParseProfile(t *testing.T) {
	var functions []*pprof.Function
	var locations []*pprof.Location
	at := func(names ...string) *pprof.Location { // innermost first, as of functions that were put into others
		l := &pprof.Location{ID: uint64(len(locations) + 1)}
		for _, n := range names {
			f := &pprof.Function{ID: uint64(len(functions) + 1), Name: n}
			functions = append(functions, f)
			l.Line = append(l.Line, pprof.Line{Function: f})
		}
		locations = append(locations, l)
		return l
	}
	cell := at(modpath.Own("gaucho/interp/rt/run.(*Cell).Run.func1"), "runtime.goexit")
	run := at("github.com/traefik/yaegi/interp.runCfg")
	call := at("reflect.Value.call", "reflect.Value.Call")
	mul := at("gonum.org/v1/gonum/mat.(*Dense).Mul")
	p := &pprof.Profile{
		SampleType: []*pprof.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		Sample: []*pprof.Sample{
			{Location: []*pprof.Location{mul, call, run, run, cell}, Value: []int64{2, 20}},
			{Location: []*pprof.Location{run, cell}, Value: []int64{1, 10}},
			{Location: []*pprof.Location{at("runtime.gcBgMarkWorker")}, Value: []int64{1, 10}},
		},
	}
	p.Location, p.Function = locations, functions
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := parseProfile(b.Bytes())
	want := []stack{
		{[]string{interpreted, "gonum.org/v1/gonum/mat.(*Dense).Mul"}, 20},
		{[]string{interpreted}, 10},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if _, err := parseProfile([]byte("no profile")); err == nil {
		t.Error("a text is read as a profile")
	}
}
