package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"gaucho/stdlib/dataset"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/rkhs"
	"gaucho/stdlib/study"
)

// times prints what the papers' statements about time come to here.
func times() error {
	fmt.Printf("%d processors, least of three runs\n\n", runtime.GOMAXPROCS(0))
	if err := splitTimes(); err != nil {
		return err
	}
	fmt.Println()
	return overheadTimes()
}

// least returns the least of three durations that f returns, in seconds.
func least(f func() (float64, error)) (float64, error) {
	var all []float64
	for range 3 {
		s, err := f()
		if err != nil {
			return 0, err
		}
		all = append(all, s)
	}
	return slices.Min(all), nil
}

// splitTimes compares one machine with several (Khanna et al. 2021, figure 1): 100 of 10,000 candidates for a mixture of 20
// Gaussians. Parts run one at a time, so that each has the whole machine; with machines of their own all take as long as the
// longest part and then the choice from the union.
func splitTimes() error {
	rng := rand.New(rand.NewPCG(4, 41))
	p, err := dataset.RandomMixture(20, 2, rng)
	if err != nil {
		return err
	}
	e, err := rkhs.Embed(rkhs.Gaussian{Bandwidth: 1}, p)
	if err != nil {
		return err
	}
	pool, err := herding.SamplePool(ctx, e, p, 10000, rng)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "100 of 10,000\tparts\tone machine\tlongest part\tunion\ttimes faster\t")
	for _, selection := range []herding.Selection{herding.WKH, herding.SBQ} {
		settings := herding.DefaultGreedySettings()
		settings.Selection = selection
		whole, err := least(func() (float64, error) {
			start := time.Now()
			_, err := herding.Greedy(ctx, pool, 100, settings)
			return time.Since(start).Seconds(), err
		})
		if err != nil {
			return err
		}
		for _, parts := range []int{5, 20} {
			seconds := make([]float64, parts+1)
			for try := range 3 {
				split, err := herding.Distributed(ctx, pool, 100, parts, settings, herding.LocalWorker(pool, 1), rand.New(rand.NewPCG(1, 1)))
				if err != nil {
					return err
				}
				for i, s := range split.Seconds {
					if try == 0 || s < seconds[i] {
						seconds[i] = s
					}
				}
			}
			longest, union := slices.Max(seconds[:parts]), seconds[parts]
			fmt.Fprintf(w, "%v\t%d\t%.1f ms\t%.1f ms\t%.1f ms\t%.1f\t\n", selection, parts, whole*1e3, longest*1e3, union*1e3, whole/(longest+union))
		}
	}
	return w.Flush()
}

// overheadTimes measures what herding adds to a particle filter (Lacoste-Julien et al. 2015, section 4.3): the robot in a
// room with 10,000 candidates. PF with more particles costs the same where the likelihood of a particle takes 4 ms.
func overheadTimes() error {
	const steps, likelihood = 20, 4e-3
	robot := filtering.NewPlanarRobot(steps, rand.New(rand.NewPCG(7, 41)))
	ns := []float64{25, 50, 100, 200}
	perStep := func(n int, set func(*filtering.Settings)) (float64, error) {
		return least(func() (float64, error) {
			s := filtering.DefaultSettings()
			s.Particles = n
			set(s)
			start := time.Now()
			_, err := filtering.Run(ctx, filtering.RobotModel(), robot.Y, s, rand.New(rand.NewPCG(1, 2)))
			return time.Since(start).Seconds() / steps, err
		})
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "filter\tN\ta step\tmore than PF\tas PF with\t")
	base := make([]float64, len(ns))
	slopes := ""
	for _, c := range []struct {
		name string
		set  func(*filtering.Settings)
	}{
		{"PF", func(*filtering.Settings) {}},
		{"SKH-FW", func(s *filtering.Settings) { herd(s, herding.Fixed) }},
		{"SKH-FCFW", func(s *filtering.Settings) { herd(s, herding.FullyCorrective) }},
	} {
		more := make([]float64, len(ns))
		for i, n := range ns {
			t, err := perStep(int(n), c.set)
			if err != nil {
				return err
			}
			if c.name == "PF" {
				base[i] = t
			}
			more[i] = t - base[i]
			fmt.Fprintf(w, "%s\t%.0f\t%.2f ms\t%.2f ms\t%.1f\t\n", c.name, n, t*1e3, more[i]*1e3, n+more[i]/likelihood)
		}
		if c.name != "PF" {
			s, err := study.LogLogSlope(ns, more)
			if err != nil {
				return err
			}
			slopes += fmt.Sprintf("%s: overhead like N^%.2f\n", c.name, s.Slope)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Print(slopes)
	return nil
}

// herd makes settings those of herding with 10,000 candidates, by position and heading.
func herd(s *filtering.Settings, step herding.Step) {
	s.Points, s.Step, s.Candidates = filtering.Herding, step, 10000
	s.Bandwidth, s.Scale = .1, []float64{1, 1, 3}
}
