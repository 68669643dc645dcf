package sbeed

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"

	"gaucho/papers"
	"gaucho/stdlib/reproduction"
	"gaucho/stdlib/study"
)

// A search chooses the settings of the learners of a figure: it runs every candidate of every learner in every environment for
// as many steps as the figure has, and the largest mean evaluation of the last fifth wins.
type search struct {
	name, about string
	methods     []string
	arena       func(papers.Size) arena
	onPolicy    bool
}

var (
	offPolicySearch = search{"sbeed-search", "settings of SBEED, TRPO, Dual-AC and DDPG for figure 6.2 of Dai 2018, seven candidates each",
		[]string{"SBEED", "TRPO", "Dual-AC", "DDPG"}, offPolicyArena, false}
	onPolicySearch = search{"sbeed-search-onpolicy", "settings of on-policy SBEED, TRPO and Dual-AC for figure D.1 of Dai 2018, seven candidates each",
		[]string{"SBEED on-policy", "TRPO", "Dual-AC"}, onPolicyArena, true}
)

// Search returns the study that chooses the settings for figure 6.2 of Dai 2018.
func Search(size papers.Size) *study.Study { return offPolicySearch.study(size) }

// SearchOnPolicy returns the study that chooses the settings for figure D.1 of Dai 2018.
func SearchOnPolicy(size papers.Size) *study.Study { return onPolicySearch.study(size) }

// searchVersion is that of both searches.
const searchVersion = "1"

// study is the search as a study, of one seed a candidate and of three at the paper's size, apart from those of the figures.
func (q search) study(size papers.Size) *study.Study {
	a, seeds := q.arena(size), 1
	if size == papers.Paper {
		seeds = 3
	}
	var points []study.Point
	for _, e := range a.environments {
		for _, m := range q.methods {
			for i := 1; i <= candidates; i++ {
				points = append(points, a.point(e, m, i))
			}
		}
	}
	return &study.Study{
		Name: papers.Name(q.name, size), About: q.about, Version: searchVersion,
		Points: points, Replications: seeds, Seed: 60, Stream: q.name, Paired: []string{"method", "settings"}, Seconds: 10, AnyNumber: true,
		Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			rec, err := replicateControl(ctx, p, q.onPolicy, rng)
			if err != nil && strings.Contains(err.Error(), "diverged") {
				return study.Record{"final": math.Inf(-1)}, nil // such settings are never chosen
			}
			delete(rec, "returns")
			delete(rec, "evaluated") // nothing is drawn of a search
			return rec, err
		},
	}
}

// settings returns the number of the settings that the search's record chooses; 0 where it lacks a candidate. The small size,
// from which nothing is concluded, takes the first.
func (q search) settings(size papers.Size, environment, method string) int {
	if size == papers.Small {
		return 1
	}
	record, err := reproduction.Read(q.name)
	if err != nil || record.Version != searchVersion {
		return 0
	}
	chosen, best := 0, 0.0
	for i := 1; i <= candidates; i++ {
		points := record.Points("environment", environment, "method", method, "settings", i)
		if len(points) != 1 {
			return 0
		}
		final, err := record.Summary(points[0], "final")
		if err != nil {
			return 0
		}
		if chosen == 0 || final.Mean > best {
			chosen, best = i, final.Mean
		}
	}
	return chosen
}

// chosenIn returns those environments in which every learner has its settings. Where there are none it is the first, whose
// runs then say that the search is missing.
func (q search) chosenIn(size papers.Size, environments []string) []string {
	var out []string
	for _, e := range environments {
		all := true
		for _, m := range q.methods {
			all = all && q.settings(size, e, m) > 0
		}
		if all {
			out = append(out, e)
		}
	}
	if out == nil {
		return environments[:1]
	}
	return out
}
