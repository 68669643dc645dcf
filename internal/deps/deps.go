package deps

import (
	_ "github.com/alecthomas/chroma/v2"
	_ "github.com/go-zeromq/zmq4"
	_ "github.com/traefik/yaegi/interp"
	_ "github.com/yuin/goldmark"
	_ "golang.org/x/sys/cpu"
	_ "golang.org/x/term"
	_ "golang.org/x/tools/go/gcexportdata"
	_ "golang.org/x/tools/go/packages"
	_ "gonum.org/v1/gonum/mat"
	_ "gonum.org/v1/plot"
)
