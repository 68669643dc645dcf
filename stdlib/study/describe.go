package study

import (
	"encoding/json"
	"fmt"
)

// A description is a study without its function.
type description struct {
	Name         string   `json:"study"`
	About        string   `json:"about,omitempty"`
	Version      string   `json:"version"`
	Seed         uint64   `json:"seed"`
	Stream       string   `json:"stream,omitempty"`
	Paired       []string `json:"paired,omitempty"`
	Points       []Point  `json:"points"`
	Replications int      `json:"replications"`
	AnyNumber    bool     `json:"anyNumber,omitempty"`
	Seconds      float64  `json:"seconds,omitempty"`
	Source       string   `json:"source,omitempty"`
}

// MarshalJSON writes the study's description: all but Replicate. Studies with equal descriptions make the same records,
// when their functions do what their Version and Source say.
func (s *Study) MarshalJSON() ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	source, err := s.source()
	if err != nil {
		return nil, err
	}
	return json.Marshal(description{s.Name, s.About, s.Version, s.Seed, s.Stream, s.Paired, s.Points, s.Replications, s.AnyNumber, s.Seconds, source})
}

// UnmarshalJSON reads a description and leaves Replicate alone. The study cannot run without, but its records can be read.
func (s *Study) UnmarshalJSON(js []byte) error {
	var d description
	if err := json.Unmarshal(js, &d); err != nil {
		return fmt.Errorf("study: description: %w", err)
	}
	replicate := s.Replicate
	*s = Study{d.Name, d.About, d.Version, d.Points, d.Replications, d.Seed, d.Stream, d.Paired, replicate, d.AnyNumber, d.Seconds, d.Source, nil}
	return nil
}
