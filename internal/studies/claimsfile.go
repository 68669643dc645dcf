package studies

import (
	"bytes"
	"encoding/json"
	"fmt"

	"gaucho/stdlib/reproduction"
)

// ReportClaims returns the claims with what became of them by the compact records in a directory, as JSON, a line a claim: the
// file claims.json of the package reproduction, from which notebooks show them.
func ReportClaims(dir string) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("[\n")
	claims := Claims()
	for i, c := range claims {
		found, verdict, from, err := c.Decide(dir)
		if err != nil {
			return nil, err
		}
		row := reproduction.Claim{Source: string(c.Source), Place: c.Place, Statement: c.Statement, Measure: c.Measure, Found: found,
			Verdict: string(verdict), Notebook: c.Notebook, From: c.Study}
		switch {
		case c.Test != "":
			row.From = c.Test
		case c.Bench != "":
			row.From = "bench/" + c.Bench
		case from != nil:
			row.From = fmt.Sprintf("%s, %s size, %s", c.Study, from.Size, replications(from))
		}
		if verdict == Differs {
			row.Tried = c.Tried
		}
		js, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		b.Write(js)
		if i < len(claims)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	return b.Bytes(), nil
}
