package sbeed

import (
	"gaucho/papers"
	"gaucho/stdlib/study"
)

// An arena is the set of environments of a figure at a size, with the steps of a run in each.
type arena struct {
	environments []string // in the order in which they are run
	steps        map[string]int
	updates      float64 // the share of SBEED's
	episodes     int     // of an evaluation
	seeds        int
}

// offPolicyArena is that of figure 6.2.
func offPolicyArena(size papers.Size) arena {
	all := []string{"pendulum", "double-pendulum", "swimmer", "hopper", "cheetah"}
	switch size {
	case papers.Small:
		return arena{[]string{"pendulum"}, map[string]int{"pendulum": 800}, 0.02, 1, 1}
	case papers.Default:
		return arena{all, map[string]int{"pendulum": 10_000, "double-pendulum": 10_000, "swimmer": 20_000, "hopper": 10_000, "cheetah": 10_000}, 1, 5, 5}
	}
	return arena{all, map[string]int{"pendulum": 30_000, "double-pendulum": 60_000, "swimmer": 100_000, "hopper": 100_000, "cheetah": 100_000}, 1, 10, 5}
}

// onPolicyArena is that of figure D.1, where a step of the environment teaches less.
func onPolicyArena(size papers.Size) arena {
	a := offPolicyArena(size)
	for name := range a.steps {
		switch size {
		case papers.Small:
			a.steps[name] = 2000
		case papers.Default:
			a.steps[name] = 40_000
		default:
			a.steps[name] = 200_000
		}
	}
	return a
}

// point is that of a learner with the settings of that number.
func (a arena) point(environment, method string, settings int) study.Point {
	return study.NewPoint("environment", environment, "method", method, "settings", settings, "steps", a.steps[environment], "updates", a.updates, "episodes", a.episodes)
}
