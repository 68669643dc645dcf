// Package herding has the studies of two papers on kernel herding: Lacoste-Julien, Lindsten and Bach 2015, which puts it into
// particle filters (LLB15), and Khanna, Hodgkinson and Mahoney 2021, which gives its points free weights and splits the
// candidates over several machines (KHM21).
package herding
