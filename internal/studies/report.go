package studies

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"gaucho/stdlib/study"
)

// Report writes the page REPRODUCTION.md from the compact records in a directory next to the page: for each
// source a table of its claims with what came out, then what to know about those that did not. The same records make the
// same bytes.
func Report(w io.Writer, dir string) error {
	var b strings.Builder
	b.WriteString(reportHead)
	rows := map[Source][]reportRow{}
	for _, c := range Claims() {
		found, verdict, from, err := c.Decide(dir)
		if err != nil {
			return err
		}
		rows[c.Source] = append(rows[c.Source], reportRow{c, found, verdict, from})
	}
	b.WriteString("| Source | agrees | does not | tested | timed | not run |\n|---|---:|---:|---:|---:|---:|\n")
	for _, s := range Sources {
		count := map[Verdict]int{}
		for _, r := range rows[s] {
			count[r.verdict]++
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", s, count[Agrees], count[Differs], count[Tested], count[Timed], count[NotRun])
	}
	for _, s := range Sources {
		fmt.Fprintf(&b, "\n## %s\n\n| | The claim | What came out | | From |\n|---|---|---|---|---|\n", s)
		for _, r := range rows[s] {
			r.write(&b)
		}
		writeNotes(&b, rows[s])
		writeItems(&b, s)
	}
	if err := writeRuns(&b, dir); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

const reportHead = `# Reproduction

What the four sources say, and what came out here. ` + "`make reproduce`" + ` runs every study at the size of the papers, going
on where it was stopped, and writes this page; ` + "`gaucho study report`" + ` writes it from the records in
[stdlib/reproduction](stdlib/reproduction), which is how it was made.

*agrees* and *does not*: a study was run, at the size and with the seed beside it, and the claim came out or not; notes
below each table say what was tried. *tested*: a test of the library checks the claim, and fails when it does not hold.
*timed*: a statement about time, with what a benchmark printed once, on the machine that is named.
*not run*: nothing decides it yet. The size *paper* is that of the paper's figure, *default* takes minutes.

The figures of the sources are images without readable numbers. So a claim is what text and captions say, in the source's
strength; its own words are in quotation marks. *Judged by* says what is measured, and the bound with its origin: the claim
itself where it is an order, the source where it gives a number, an independent prototype where that is named, or our reading
of a word such as "much". What came out is shown with the bound, so that one sees how far it is; a star marks a bound that is
broken. *Departs* is where data, sizes or settings are not the source's, whatever came out. *Asked here* are questions that the source does not answer. Numbers are medians with quartiles, as 0.10 (0.09 to 0.12), or
means with their standard error, as 0.10 ± 0.01, over the replications. Stand-in: the data of the paper cannot be had, and
generated ones take their place.

`

// A reportRow is a line of a table.
type reportRow struct {
	Claim
	found   string
	verdict Verdict
	from    *study.Compact
}

func (r *reportRow) write(b *strings.Builder) {
	verdict := string(r.verdict)
	if r.verdict == Differs {
		verdict = "**does not**"
	}
	from := r.origin()
	if r.Notebook != "" {
		file, heading, _ := strings.Cut(r.Notebook, "#")
		anchor := url.PathEscape(strings.ReplaceAll(heading, " ", "-"))
		from = strings.TrimPrefix(from+fmt.Sprintf("; [notebook](notebooks/papers/%s.ipynb#%s)", file, anchor), "; ")
	}
	statement := cell(r.Statement)
	if r.Ours {
		statement = "*Asked here:* " + statement
	}
	if r.Measure != "" {
		statement += "<br>*Judged by:* " + cell(r.Measure)
	}
	if r.Departs != "" {
		statement += "<br>*Departs:* " + cell(r.Departs)
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", r.Place, statement, cell(r.found), verdict, from)
}

// origin says which study or test decides the claim.
func (r *reportRow) origin() string {
	switch {
	case r.Test != "":
		pkg, name, _ := strings.Cut(r.Test, ".")
		return fmt.Sprintf("%s in [stdlib/%s](stdlib/%s)", name, pkg, pkg)
	case r.Bench != "":
		folder, flags, _ := strings.Cut(r.Bench, " ")
		return fmt.Sprintf("`go run ./bench/%s %s`", folder, flags)
	case r.from != nil:
		return fmt.Sprintf("[%s](stdlib/reproduction/%s.json), %s size, %s, seed %d", r.Study, r.Study, r.from.Size, replications(r.from), r.from.Seed)
	case r.Study != "":
		return r.Study
	}
	return ""
}

// replications says how many replications a record has, and how many there are at its size if it is a part of them.
func replications(c *study.Compact) string {
	if s, err := Get(c.Study, Size(c.Size)); err == nil && c.Replications < s.Replications {
		return fmt.Sprintf("%d of %d replications", c.Replications, s.Replications)
	}
	return fmt.Sprintf("%d replications", c.Replications)
}

// cell makes text fit for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|mean|", "\\|mean\\|") }

// writeNotes says what was tried for the claims that did not come out.
func writeNotes(b *strings.Builder, rows []reportRow) {
	title := "\nWhere a claim did not come out:\n\n"
	for _, r := range rows {
		if r.verdict == Differs && r.Tried != "" {
			fmt.Fprintf(b, "%s* **%s**: *%s* %s\n", title, r.Place, r.Statement, r.Tried)
			title = ""
		}
	}
}

// writeItems lists the numbered items of a source that have no row, with the reason.
func writeItems(b *strings.Builder, source Source) {
	names := map[string][]string{}
	var reasons []string
	for _, item := range sourceItems[source] {
		if item.Why == "" {
			continue
		}
		if names[item.Why] == nil {
			reasons = append(reasons, item.Why)
		}
		names[item.Why] = append(names[item.Why], item.Name)
	}
	for i, why := range reasons {
		if i == 0 {
			b.WriteString("\nNumbered items without a row:\n\n")
		}
		fmt.Fprintf(b, "* %s: %s.\n", strings.Join(names[why], ", "), why)
	}
}

// writeRuns lists the studies whose records the page is made from.
func writeRuns(b *strings.Builder, dir string) error {
	b.WriteString("\n## Runs\n\n| Study | Size | Version | Seed | Points × replications | Missing, failed | Made by |\n|---|---|---|---:|---|---|---|\n")
	for _, s := range All(Paper) {
		c, err := ReadCompact(dir, s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(b, "| [%s](stdlib/reproduction/%s.json) | %s | %s | %d | %d × %d | %d, %d | %s |\n", c.Study, c.Study, c.Size, c.Version, c.Seed,
			len(c.Kept), c.Replications, c.Missing, c.Failed, strings.Join(c.Made, ", "))
	}
	return nil
}
