// Package herding holds the studies of two papers on kernel herding: Lacoste-Julien, Lindsten and Bach 2015 (LLB15), who use
// it in particle filters, and Khanna, Hodgkinson and Mahoney 2021 (KHM21), who give its points free weights and split the
// candidates over several machines.
package herding
