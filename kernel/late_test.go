package kernel

import (
	"slices"
	"testing"
)

// For a client that lets cells ask nothing, what a goroutine prints after its cell belongs to the cell that runs.
func TestLateOutputUnattended(t *testing.T) {
	k, _ := newKernel(t, nil)
	unattended := object{"allow_stdin": false}
	k.execute("later", unattended)
	_, out := k.execute("now", unattended)
	if len(out) != 2 || out[1].kind != "stream" || out[1].content["text"] != "later\n" {
		t.Errorf("the cell that runs shows %v", out)
	}
}

// What comes while no cell runs waits for the next one, in order, up to a limit.
func TestLateBetweenCells(t *testing.T) {
	var l late
	one, two := &parent{id: "1", cell: true}, &parent{id: "2", cell: true}
	var got []string
	show := func(text string) func(*parent) { return func(of *parent) { got = append(got, of.id+text) } }
	l.begin(one)
	l.publish(one, show("a"))
	l.end(one)
	l.publish(one, show("b"))
	l.publish(one, show("c"))
	l.begin(two)
	l.publish(one, show("d"))
	l.publish(two, show("e"))
	l.end(two)
	for range lateLimit {
		l.publish(one, func(*parent) {})
	}
	l.publish(one, show("f"))
	if want := []string{"1a", "2b", "2c", "2d", "2e", "1f"}; !slices.Equal(got, want) {
		t.Errorf("published %q, expected %q", got, want)
	}
	comm := &parent{id: "comm"}
	l.publish(comm, show("g"))
	if got[len(got)-1] != "commg" {
		t.Errorf("a comm's output is published as %q", got[len(got)-1])
	}
}
