package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// There is a wheel for each platform whose symbols are generated, but for browsers, which pip does not know.
func TestPlatforms(t *testing.T) {
	files, err := filepath.Glob("../../interp/symbols/platform_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, f := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "platform_"), ".go")
		if platform := strings.Replace(name, "_", "/", 1); platform != "js/wasm" {
			want = append(want, platform)
		}
	}
	if got := slices.Sorted(maps.Keys(tags)); len(want) < 4 || !slices.Equal(got, want) {
		t.Errorf("wheels for %v, symbols for %v", got, want)
	}
}
