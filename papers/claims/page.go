package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

// Pages returns the text of each page on reproduction by its path from the root of the repository, made from the compact records in a
// directory: REPRODUCTION.md, which sums up, and in docs/reproduction a page for each source, with all its claims, and one for the runs.
func Pages(dir string) (map[string][]byte, error) {
	all, err := decideAll(dir)
	if err != nil {
		return nil, err
	}
	rows := map[Source][]decided{}
	for _, d := range all {
		rows[d.Source] = append(rows[d.Source], d)
	}
	pages := map[string][]byte{"REPRODUCTION.md": summary(rows)}
	for _, s := range sources {
		pages[s.page()] = sourcePage(s, rows[s])
	}
	if pages[runsPage], err = runs(dir); err != nil {
		return nil, err
	}
	return pages, nil
}

const (
	details  = "docs/reproduction/"
	runsPage = details + "runs.md"
	up       = "../../" // from there to the root
)

// page is the path of the source's page.
func (s Source) page() string {
	author, _, _ := strings.Cut(string(s), ",")
	return details + strings.ToLower(author) + ".md"
}

// summary is the page that a reader takes in: what agrees, what does not, and why.
func summary(rows map[Source][]decided) []byte {
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString("| Source | agrees | does not | tested | timed | not run | asked here |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, s := range sources {
		count, asked, yes := map[Verdict]int{}, 0, 0
		for _, d := range rows[s] {
			if !d.Ours {
				count[d.verdict]++
				continue
			}
			if asked++; d.verdict == Agrees || d.verdict == Tested {
				yes++
			}
		}
		fmt.Fprintf(&b, "| [%s](%s) | %d | %d | %d | %d | %d | %d, yes %d |\n", s, s.page(), count[Agrees], count[Differs], count[Tested], count[Timed], count[NotRun], asked, yes)
	}
	b.WriteString("\n## What does not come out\n\nEach with the first thing that there is to say of it; the sources' pages have the numbers, the bounds and all that was tried.\n")
	for _, s := range sources {
		author, _, _ := strings.Cut(string(s), ",")
		fmt.Fprintf(&b, "\n### %s\n\n", author)
		writeReasons(&b, rows[s])
	}
	return []byte(b.String())
}

// writeReasons lists the places of the claims of a source that did not come out, those of one reason together.
func writeReasons(b *strings.Builder, rows []decided) {
	places := map[string][]string{}
	var reasons []string
	for _, d := range rows {
		if d.verdict != Differs || d.Ours {
			continue
		}
		reason, _, _ := strings.Cut(d.Tried, ". ")
		if reason = strings.TrimSuffix(reason, "."); places[reason] == nil {
			reasons = append(reasons, reason)
		}
		if !slices.Contains(places[reason], d.Place) {
			places[reason] = append(places[reason], d.Place)
		}
	}
	for _, reason := range reasons {
		fmt.Fprintf(b, "* **%s**: %s.\n", strings.Join(places[reason], "; "), reason)
	}
}

// sourcePage is the page of one source: a table of its claims, what was tried where one did not come out, and items without a row.
func sourcePage(s Source, rows []decided) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n| | The claim | What came out | | From |\n|---|---|---|---|---|\n", s, sourceHead)
	for _, d := range rows {
		d.writeRow(&b)
	}
	writeNotes(&b, rows)
	writeItems(&b, s)
	return []byte(b.String())
}

const pageHead = `# Reproduction

What the four sources say, and what came out here. ` + "`make reproduce`" + ` runs every study at the size of the papers, going
on where it was stopped, and writes these pages; ` + "`gaucho study report --compact stdlib/reproduction`" + ` writes them from the records in
[stdlib/reproduction](stdlib/reproduction), which is how they were made. [Runs](docs/reproduction/runs.md) lists the records.

*agrees* and *does not*: a study was run, and what the source says came out or not. *tested*: a test of the library checks it.
*timed*: a statement about time, which a benchmark measured once. *not run*: nothing decides it yet.
*asked here*: questions that the source does not answer, which do not count for or against it.
Stand-in: the data of the paper cannot be had, and generated ones take their place.

`

const sourceHead = `*agrees* and *does not*: a study was run, at the size and with the seed beside it, and the claim came out or not; notes
below the table say what was tried. *tested*: a test of the library checks the claim, and fails when it does not hold.
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
		from = strings.TrimPrefix(from+fmt.Sprintf("; [notebook](%snotebooks/papers/%s.ipynb#%s)", up, file, anchor), "; ")
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
		return fmt.Sprintf("%s in [stdlib/%s](%sstdlib/%s)", name, pkg, up, pkg)
	case d.Bench != "":
		folder, flags, _ := strings.Cut(d.Bench, " ")
		return fmt.Sprintf("`go run ./bench/%s %s`", folder, flags)
	case d.from != nil:
		return fmt.Sprintf("[%s](%sstdlib/reproduction/%s.json), %s size, %s, seed %d", d.Study, up, d.Study, d.from.Size, replications(d.from), d.from.Seed)
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

// runs is the page of the studies whose records the others are made from.
func runs(dir string) ([]byte, error) {
	var b strings.Builder
	b.WriteString("# Runs\n\n| Study | Size | Version | Seed | Points × replications | Missing, failed | Made by |\n|---|---|---|---:|---|---|---|\n")
	for _, s := range catalog.All(papers.Paper) {
		c, err := papers.ReadCompact(dir, s.Name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "| [%s](%sstdlib/reproduction/%s.json) | %s | %s | %d | %d × %d | %d, %d | %s |\n", c.Study, up, c.Study, c.Size, c.Version, c.Seed,
			len(c.Kept), c.Replications, c.Missing, c.Failed, strings.Join(c.Made, ", "))
	}
	return []byte(b.String()), nil
}
