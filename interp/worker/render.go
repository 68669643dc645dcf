package worker

import (
	"fmt"
	"strings"

	"gaucho/interp/wire"
)

// render turns the values of a cell's last expression into a MIME bundle, nil if there is nothing to show.
func render(values []any) wire.Bundle {
	if len(values) == 0 {
		return nil
	}
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return wire.Bundle{"text/plain": strings.Join(texts, " ")}
}
