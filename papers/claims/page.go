package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

// Page returns REPRODUCTION.md, made from the compact records in a directory next to it: for each source a table of its
// claims with their verdicts, then notes on those that were not confirmed. The same records give the same bytes.
func Page(dir string) ([]byte, error) {
	all, err := decideAll(dir)
	if err != nil {
		return nil, err
	}
	rows := map[Source][]decided{}
	for _, d := range all {
		rows[d.Source] = append(rows[d.Source], d)
	}
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString("| Source | agrees | does not | tested | timed | not run |\n|---|---:|---:|---:|---:|---:|\n")
	for _, s := range sources {
		count := map[Verdict]int{}
		for _, d := range rows[s] {
			count[d.verdict]++
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", s, count[Agrees], count[Differs], count[Tested], count[Timed], count[NotRun])
	}
	for _, s := range sources {
		fmt.Fprintf(&b, "\n## %s\n\n| | The claim | What came out | | From |\n|---|---|---|---|---|\n", s)
		for _, d := range rows[s] {
			d.writeRow(&b)
		}
		writeNotes(&b, rows[s])
		writeItems(&b, s)
	}
	if err := writeRuns(&b, dir); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

const pageHead = `# Reproduction

What the four sources say, and what came out here. ` + "`make reproduce`" + ` runs every study at the size of the papers, going
on where it was stopped, and writes this page; ` + "`gaucho study report --compact stdlib/reproduction`" + ` writes it from the records in
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

// writeRow writes the line of a table.
func (d *decided) writeRow(b *strings.Builder) {
	verdict := string(d.verdict)
	if d.verdict == Differs {
		verdict = "**does not**"
	}
	from := d.origin()
	if d.Notebook != "" {
		file, heading, _ := strings.Cut(d.Notebook, "#")
		anchor := url.PathEscape(strings.ReplaceAll(heading, " ", "-"))
		from = strings.TrimPrefix(from+fmt.Sprintf("; [notebook](notebooks/papers/%s.ipynb#%s)", file, anchor), "; ")
	}
	statement := cell(d.Statement)
	if d.Ours {
		statement = "*Asked here:* " + statement
	}
	if d.Measure != "" {
		statement += "<br>*Judged by:* " + cell(d.Measure)
	}
	if d.Departs != "" {
		statement += "<br>*Departs:* " + cell(d.Departs)
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", d.Place, statement, cell(d.found), verdict, from)
}

// origin says which study or test decides the claim.
func (d *decided) origin() string {
	switch {
	case d.Test != "":
		pkg, name, _ := strings.Cut(d.Test, ".")
		return fmt.Sprintf("%s in [stdlib/%s](stdlib/%s)", name, pkg, pkg)
	case d.Bench != "":
		folder, flags, _ := strings.Cut(d.Bench, " ")
		return fmt.Sprintf("`go run ./bench/%s %s`", folder, flags)
	case d.from != nil:
		return fmt.Sprintf("[%s](stdlib/reproduction/%s.json), %s size, %s, seed %d", d.Study, d.Study, d.from.Size, replications(d.from), d.from.Seed)
	case d.Study != "":
		return d.Study
	}
	return ""
}

// replications says how many replications a record has, and how many there are at its size if it is a part of them.
func replications(c *study.Compact) string {
	if s, err := catalog.Get(c.Study, papers.Size(c.Size)); err == nil && c.Replications < s.Replications {
		return fmt.Sprintf("%d of %d replications", c.Replications, s.Replications)
	}
	return fmt.Sprintf("%d replications", c.Replications)
}

// cell makes text fit for a cell of a table.
func cell(text string) string { return strings.ReplaceAll(text, "|mean|", "\\|mean\\|") }

// writeNotes says what was tried for the claims that did not come out.
func writeNotes(b *strings.Builder, rows []decided) {
	title := "\nWhere a claim did not come out:\n\n"
	for _, d := range rows {
		if d.verdict == Differs && d.Tried != "" {
			fmt.Fprintf(b, "%s* **%s**: *%s* %s\n", title, d.Place, d.Statement, d.Tried)
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
	for _, s := range catalog.All(papers.Paper) {
		c, err := papers.ReadCompact(dir, s.Name)
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
