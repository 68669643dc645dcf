package kernel

import (
	"runtime"
	"strings"
)

// kernelInfo answers what this kernel is. It waits for nothing.
func (c *channel) kernelInfo(*request) (object, error) {
	version := c.k.options.Version
	if version == "" {
		version = "0.0.0"
	}
	features := []string{"debugger", "iopub_welcome", "kernel subshells"}
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	return object{
		"status":                 "ok",
		"protocol_version":       protocolVersion,
		"implementation":         "gaucho",
		"implementation_version": version,
		"language_info": object{
			"name":               "go",
			"version":            goVersion,
			"gaucho":             version, // Jupyter saves it with the notebook
			"mimetype":           "text/x-go",
			"file_extension":     ".go",
			"pygments_lexer":     "go",
			"codemirror_mode":    "go",
			"nbconvert_exporter": "script",
		},
		"banner":             "Gaucho " + version + ", Go " + goVersion + " " + runtime.GOOS + "/" + runtime.GOARCH,
		"debugger":           true,
		"help_links":         helpLinks,
		"supported_features": features,
	}, nil
}

var helpLinks = []object{
	{"text": "A Tour of Go", "url": "https://go.dev/tour/"},
	{"text": "Go Language Specification", "url": "https://go.dev/ref/spec"},
	{"text": "Go Standard Library", "url": "https://pkg.go.dev/std"},
	{"text": "Gonum", "url": "https://pkg.go.dev/gonum.org/v1/gonum"},
	{"text": "Gonum Plot", "url": "https://pkg.go.dev/gonum.org/v1/plot"},
}

// connect answers which ports the kernel listens on.
func (c *channel) connect(*request) (object, error) {
	content := object{"status": "ok"}
	for _, p := range c.k.connection.ports() {
		content[p.name+"_port"] = p.port
	}
	return content, nil
}
