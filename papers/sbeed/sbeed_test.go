package sbeed

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"gaucho/papers"
	"gaucho/papers/studytest"
	"gaucho/stdlib/study"
)

// TestTabularClaims checks what Dai 2018 says of eta: with exact expectations the error of V falls as eta grows and is gone
// at 1.
func TestTabularClaims(t *testing.T) {
	t.Parallel()
	s := Tabular(papers.Small)
	s.Points = study.Grid(study.Values("problem", "whole", "convex"), study.Values("expectations", "population"),
		study.Values("eta", 0.0, 0.5, 1.0), study.Values("updates", 1), study.Values("exact updates", 10000))
	res := studytest.Run(t, s)
	for _, problem := range []string{"whole", "convex"} {
		last := 1e9
		for _, p := range res.Points("problem", problem, "expectations", "population") {
			m, err := res.Summary(p, "error")
			if err != nil {
				t.Fatal(err)
			}
			if m.Mean >= last {
				t.Errorf("%v: error %v, want less than %v at the eta before", p, m.Mean, last)
			}
			last = m.Mean
		}
		if last > 1e-3 {
			t.Errorf("%s: error %v at eta = 1, want at most 1e-3", problem, last)
		}
	}
}

// TestSettingsAreSearched checks that the records of the figures have the settings with the largest mean in those of the
// searches, whose files are read here as what they are, and that searches and figures draw other numbers.
func TestSettingsAreSearched(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	type file struct {
		Version string
		Kept    []struct {
			Point   map[string]any
			Numbers map[string]struct{ Mean any }
		} `json:"points"`
	}
	read := func(name string) (f file, exists bool) {
		js, err := os.ReadFile("../../stdlib/reproduction/" + name + ".json")
		if os.IsNotExist(err) {
			return f, false
		}
		if err == nil {
			err = json.Unmarshal(js, &f)
		}
		if err != nil {
			t.Fatal(err)
		}
		return f, true
	}
	for _, x := range []struct {
		figure func(papers.Size) *study.Study
		of     search
	}{{Comparison, offPolicySearch}, {OnPolicy, onPolicySearch}, {Ablation, offPolicySearch}} {
		name := x.figure(papers.Paper).Name
		if a, b := x.figure(papers.Default), x.of.study(papers.Default); a.Seed == b.Seed || a.Stream == b.Stream {
			t.Errorf("%s and %s have seeds %d and %d of %s and %s", name, x.of.name, a.Seed, b.Seed, a.Stream, b.Stream)
		}
		figure, ok := read(name)
		if !ok || figure.Version != x.figure(papers.Paper).Version {
			continue // the page says that they are old
		}
		found, ok := read(x.of.name)
		if !ok {
			t.Errorf("%s has records and %s has none", name, x.of.name)
		}
		for _, k := range figure.Kept {
			environment, method := k.Point["environment"], k.Point["method"]
			if method == nil || method == "PCL" {
				method = "SBEED"
			}
			if environment == "pendulum-noisy" {
				environment = "pendulum"
			}
			best, most, tried := 0.0, math.Inf(-1), 0
			for _, c := range found.Kept {
				final, ok := c.Numbers["final"]
				if !ok || c.Point["environment"] != environment || c.Point["method"] != method {
					continue
				}
				tried++
				if mean, ok := final.Mean.(float64); ok && mean > most {
					best, most = c.Point["settings"].(float64), mean
				}
			}
			if tried != candidates || k.Point["settings"] != best {
				t.Errorf("%s: %v has settings %v; the best of %d candidates is %v", name, k.Point, k.Point["settings"], tried, best)
			}
		}
	}
}

// TestCandidatesAreSettings checks that each candidate of each learner makes a learner, with the discount of all.
func TestCandidatesAreSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	for _, q := range []search{offPolicySearch, onPolicySearch} {
		rng, a := rand.New(rand.NewPCG(1, 0)), q.arena(papers.Default)
		for _, e := range a.environments {
			run := task{controls[e], a.steps[e], 1}
			system, err := run.limited()
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range q.methods {
				for i := 0; i <= candidates+1; i++ {
					_, err := run.learner(system, m, i, q.onPolicy, rng)
					if valid := i >= 1 && i <= candidates; valid != (err == nil) {
						t.Errorf("%s in %s with settings %d: %v", m, e, i, err)
					}
				}
			}
			for i := range candidates {
				for _, d := range []float64{run.sbeed(i).Discount, run.onPolicy(i).Discount, run.gradient(i, q.onPolicy).Discount, run.ddpg(i).Discount} {
					if d != 0.995 {
						t.Errorf("a discount in %s is %v", e, d)
					}
				}
			}
		}
	}
}
