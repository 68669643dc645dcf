package claims

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gaucho/stdlib/reproduction"
)

// JSON returns the file claims.json of package reproduction, from which notebooks show claims: one line for each claim, with
// its verdict by the compact records in a directory.
func JSON(dir string) ([]byte, error) {
	all, err := decideAll(dir)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, c := range all {
		row := reproduction.Claim{Source: string(c.Source), Place: c.Place, Statement: c.Statement, Measure: c.Measure, Found: c.found,
			Verdict: string(c.verdict), Notebook: c.Notebook, From: c.Study}
		switch {
		case c.Test != "":
			row.From = c.Test
		case c.Bench != "":
			row.From = "bench/" + c.Bench
		case c.from != nil:
			row.From = fmt.Sprintf("%s, %s size, %s", c.Study, c.from.Size, replications(c.from))
		}
		if c.verdict == Differs {
			row.Tried = c.Tried
		}
		js, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		b.Write(js)
		if i < len(all)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	return b.Bytes(), nil
}
