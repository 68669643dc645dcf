package assist

import "go/doc/comment"

// markdownDoc is a doc comment as Markdown.
func markdownDoc(doc string) string {
	var p comment.Parser
	pr := &comment.Printer{HeadingLevel: 4}
	return string(pr.Markdown(p.Parse(doc)))
}
