package notebook

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"strings"
)

// A Notebook is a notebook file of format 4. What Gaucho does not know of is kept in Extra and written again.
type Notebook struct {
	Cells    []*Cell
	Metadata map[string]any
	Minor    int            // nbformat_minor; cells have ids since 5
	Extra    map[string]any // further top-level fields

	Dir  string // directory of the file, for the images that its text cells name; "" if unknown
	Name string // file name without directory and extension
}

// A Cell is one cell of a notebook.
type Cell struct {
	Type     string // "code", "markdown" or "raw"
	ID       string // empty before format 4.5
	Source   string
	Metadata map[string]any
	Count    int       // execution_count; 0 for none
	Outputs  []*Output // of a code cell
	Extra    map[string]any
}

// An Output is what a code cell shows: one message of the Jupyter protocol.
type Output struct {
	Type      string         // "stream", "display_data", "execute_result" or "error"
	Name      string         // of a stream: "stdout" or "stderr"
	Text      string         // of a stream
	Data      map[string]any // of the displays: MIME type to text (base64 for binary types) or JSON value
	Metadata  map[string]any // of the displays
	Count     int            // of an execute_result
	Ename     string         // of an error
	Evalue    string         // of an error
	Traceback []string       // of an error, one entry a line, with ANSI colours
	Extra     map[string]any
}

// Decode reads a notebook. Its errors say what is wrong with the text, not where the text came from.
func Decode(data []byte) (*Notebook, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var top map[string]any
	if err := dec.Decode(&top); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
			return nil, fmt.Errorf("not a notebook: line %d is not JSON: %s", line, syntax)
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, errors.New("not a notebook: the file is empty")
		}
		return nil, fmt.Errorf("not a notebook: %s", err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("not a notebook: text after the end of the JSON object")
	}
	major, ok := integer(top["nbformat"])
	if !ok {
		return nil, errors.New("not a notebook: the field nbformat is missing")
	}
	if major != 4 {
		return nil, fmt.Errorf("notebook format is %d, must be 4; opening and saving it in JupyterLab converts it", major)
	}
	nb := &Notebook{}
	nb.Minor, _ = integer(top["nbformat_minor"])
	var err error
	if nb.Metadata, err = object(top, "metadata"); err != nil {
		return nil, err
	}
	list, ok := top["cells"].([]any)
	if !ok {
		return nil, errors.New("not a notebook: cells must be a list")
	}
	for i, raw := range list {
		m, ok := raw.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("not a notebook: cell %d is no object", i+1)
		}
		c, err := decodeCell(m)
		if err != nil {
			return nil, fmt.Errorf("not a notebook: cell %d: %w", i+1, err)
		}
		nb.Cells = append(nb.Cells, c)
	}
	nb.Extra = without(top, "cells", "metadata", "nbformat", "nbformat_minor")
	return nb, nil
}

func decodeCell(m map[string]any) (*Cell, error) {
	c := &Cell{}
	c.Type, _ = m["cell_type"].(string)
	switch c.Type {
	case "code", "markdown", "raw":
	default:
		return nil, fmt.Errorf("cell_type is %q, must be code, markdown or raw", c.Type)
	}
	var err error
	if c.Source, err = text(m["source"]); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	c.ID, _ = m["id"].(string)
	if c.Metadata, err = object(m, "metadata"); err != nil {
		return nil, err
	}
	c.Extra = without(m, "cell_type", "source", "id", "metadata")
	if c.Type != "code" {
		return c, nil
	}
	c.Count, _ = integer(m["execution_count"])
	c.Extra = without(c.Extra, "execution_count", "outputs")
	outputs, _ := m["outputs"].([]any)
	for i, raw := range outputs {
		om, ok := raw.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("output %d is no object", i+1)
		}
		o, err := decodeOutput(om)
		if err != nil {
			return nil, fmt.Errorf("output %d: %w", i+1, err)
		}
		c.Outputs = append(c.Outputs, o)
	}
	return c, nil
}

func decodeOutput(m map[string]any) (*Output, error) {
	o := &Output{}
	o.Type, _ = m["output_type"].(string)
	var err error
	switch o.Type {
	case "stream":
		o.Name, _ = m["name"].(string)
		o.Text, err = text(m["text"])
		o.Extra = without(m, "output_type", "name", "text")
	case "display_data", "execute_result":
		if o.Data, err = object(m, "data"); err != nil {
			return nil, err
		}
		for mime, v := range o.Data {
			if !isJSON(mime) {
				if o.Data[mime], err = text(v); err != nil {
					return nil, fmt.Errorf("%s: %w", mime, err)
				}
			}
		}
		o.Metadata, err = object(m, "metadata")
		o.Count, _ = integer(m["execution_count"])
		o.Extra = without(m, "output_type", "data", "metadata", "execution_count")
	case "error":
		o.Ename, _ = m["ename"].(string)
		o.Evalue, _ = m["evalue"].(string)
		lines, _ := m["traceback"].([]any)
		for _, l := range lines {
			s, _ := l.(string)
			o.Traceback = append(o.Traceback, s)
		}
		o.Extra = without(m, "output_type", "ename", "evalue", "traceback")
	default:
		err = fmt.Errorf("output_type is %q", o.Type)
	}
	return o, err
}

// Encode writes the notebook as nbformat does: keys in order, one space of indent, text as lists of lines.
func (nb *Notebook) Encode(w io.Writer) error {
	nb.identify()
	cells := make([]any, len(nb.Cells))
	for i, c := range nb.Cells {
		cells[i] = c.encode()
	}
	top := with(nb.Extra, "cells", cells, "metadata", nonNil(nb.Metadata), "nbformat", 4, "nbformat_minor", nb.Minor)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(top)
}

// identify gives cells the ids that the format asks for since 4.5, where they have none, or one that another has. They follow from the
// text, so that the notebook is the same file when it is written again.
func (nb *Notebook) identify() {
	if nb.Minor < 5 {
		return
	}
	taken := map[string]bool{}
	for i, c := range nb.Cells {
		for n := 0; taken[c.ID] || !cellID.MatchString(c.ID); n++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%d %d %s", i, n, c.Source))
			c.ID = hex.EncodeToString(sum[:4])
		}
		taken[c.ID] = true
	}
}

// cellID is what an id of a cell must be.
var cellID = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func (c *Cell) encode() map[string]any {
	m := with(c.Extra, "cell_type", c.Type, "metadata", nonNil(c.Metadata), "source", lines(c.Source))
	if c.ID != "" {
		m["id"] = c.ID
	}
	if c.Type == "code" {
		outputs := make([]any, len(c.Outputs))
		for i, o := range c.Outputs {
			outputs[i] = o.encode()
		}
		m["outputs"] = outputs
		m["execution_count"] = count(c.Count)
	}
	return m
}

func (o *Output) encode() map[string]any {
	m := with(o.Extra, "output_type", o.Type)
	switch o.Type {
	case "stream":
		m["name"], m["text"] = o.Name, lines(o.Text)
	case "display_data", "execute_result":
		data := map[string]any{}
		for mime, v := range o.Data {
			if s, ok := v.(string); ok && isText(mime) {
				v = lines(s)
			}
			data[mime] = v
		}
		m["data"], m["metadata"] = data, nonNil(o.Metadata)
		if o.Type == "execute_result" {
			m["execution_count"] = count(o.Count)
		}
	case "error":
		tb := o.Traceback
		if tb == nil {
			tb = []string{}
		}
		m["ename"], m["evalue"], m["traceback"] = o.Ename, o.Evalue, tb
	}
	return m
}

// Language is the language of the notebook's code cells as its metadata name it, in lower case, or "go".
func (nb *Notebook) Language() string {
	for _, at := range [][2]string{{"language_info", "name"}, {"kernelspec", "language"}} {
		if m, ok := nb.Metadata[at[0]].(map[string]any); ok {
			if s, ok := m[at[1]].(string); ok && s != "" {
				return strings.ToLower(s)
			}
		}
	}
	return "go"
}

// Empty reports whether a cell has no text.
func (c *Cell) Empty() bool { return strings.TrimSpace(c.Source) == "" }

// Attachments returns the files that are attached to a text cell, by name: their contents in base64, by MIME type.
func (c *Cell) Attachments() map[string]map[string]string {
	all := map[string]map[string]string{}
	attached, _ := c.Extra["attachments"].(map[string]any)
	for name, v := range attached {
		forms, _ := v.(map[string]any)
		all[name] = map[string]string{}
		for mime, v := range forms {
			if data, err := text(v); err == nil {
				all[name][mime] = data
			}
		}
	}
	return all
}

// Runs reports whether a run of the notebook executes the cell: it is one of code, with text, and not tagged skip-execution.
func (c *Cell) Runs() bool { return c.Type == "code" && !c.Empty() && !c.HasTag("skip-execution") }

// HasTag says whether the cell's metadata carry the tag.
func (c *Cell) HasTag(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	for _, t := range tags {
		if t == tag {
			return true
		}
	}
	return false
}

// text joins what the format keeps as a string or a list of strings.
func text(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case []any:
		var b strings.Builder
		for _, l := range v {
			s, ok := l.(string)
			if !ok {
				return "", errors.New("must be text or a list of lines")
			}
			b.WriteString(s)
		}
		return b.String(), nil
	}
	return "", errors.New("must be text or a list of lines")
}

// lines splits text after each line feed.
func lines(s string) []string {
	all := strings.SplitAfter(s, "\n")
	if last := len(all) - 1; all[last] == "" {
		all = all[:last]
	}
	return all
}

func integer(v any) (int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	i, err := n.Int64()
	return int(i), err == nil
}

func count(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

func object(m map[string]any, key string) (map[string]any, error) {
	switch v := m[key].(type) {
	case nil:
		return map[string]any{}, nil
	case map[string]any:
		return v, nil
	}
	return nil, fmt.Errorf("%s must be an object", key)
}

func nonNil(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// without copies m less some keys; nil when nothing is left.
func without(m map[string]any, keys ...string) map[string]any {
	var rest map[string]any
next:
	for k, v := range m {
		for _, key := range keys {
			if k == key {
				continue next
			}
		}
		if rest == nil {
			rest = map[string]any{}
		}
		rest[k] = v
	}
	return rest
}

// with copies m and sets pairs of key and value.
func with(m map[string]any, pairs ...any) map[string]any {
	all := make(map[string]any, len(m)+len(pairs)/2)
	maps.Copy(all, m)
	for i := 0; i < len(pairs); i += 2 {
		all[pairs[i].(string)] = pairs[i+1]
	}
	return all
}

func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

// isText says that the file keeps this type as a list of lines.
func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml"
}
