//go:build go1.27 && !js

package worker

import (
	"encoding/json/jsontext"
	"encoding/json/v2"
)

// init anchors what instances of generic functions in cells refer to, and nothing else in the program.
func init() {
	anchors = append(anchors, json.MarshalFunc[int], json.MarshalToFunc[int], json.UnmarshalFunc[*int], json.UnmarshalFromFunc[*int],
		json.GetOption[int], jsontext.AppendFormat[string], jsontext.AppendQuote[string], jsontext.AppendUnquote[string])
}
