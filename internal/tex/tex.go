// Package tex parses TeX's everyday mathematics, for figures, which set it as boxes, and for pages, which show it as MathML.
//
// What it understands: letters, numbers, scripts, primes; Greek letters, operators, relations, arrows and delimiters by
// their names; \frac, \binom, \sqrt, accents, \left and \right, \text, fonts (\mathbf, \mathcal, \mathbb, ...), functions,
// matrices, cases and aligned equations; \newcommand. A command that it does not know is an error that names it: a formula
// is never shown as another one.
//
// Spaces between atoms follow the table of Knuth, The TeXbook, chapter 18.
package tex

// A Class is the role of a part of a formula, on which the space around it depends.
type Class int

// The classes of The TeXbook, chapter 17.
const (
	Ord Class = iota
	Op
	Bin
	Rel
	Open
	Close
	Punct
	Inner
)

// A Face is the kind of letters of a symbol.
type Face int

// Faces. Script, double-struck, fraktur and typewriter letters are characters of their own in Unicode, set in Roman.
const (
	Roman Face = iota
	Italic
	Bold
	BoldItalic
)

// A Node is a part of a formula.
type Node interface{ class() Class }

// A Row is parts one after the other.
type Row []Node

// A Symbol is a letter, a number, an operator or the name of a function.
type Symbol struct {
	Text     string
	Class    Class
	Face     Face
	Function bool    // a name such as log
	Large    bool    // an operator that is larger in a display: a sum
	Limits   bool    // scripts are below and above it in a display
	Size     float64 // of a delimiter, in parts of its usual height; 0 is 1
}

// Words are text within a formula.
type Words struct {
	Text string
	Face Face
}

// A Space is a distance in ems; it may be negative.
type Space float64

// Scripts are a base with what is below and above it, either of which may be nil. The base may be empty.
type Scripts struct {
	Base, Sub, Sup Node
	Stacked        bool // centred below and above the base, not at its right
}

// A Fraction is one row over another, with or without a line between them.
type Fraction struct {
	Over, Under Node
	Bar         bool
	Style       Style
}

// A Style is the size at which a part is set.
type Style int

// Styles. Inherit keeps that of what is around.
const (
	Inherit Style = iota
	Display
	Text
)

// Styled is a part that is set in a style of its own.
type Styled struct {
	Body  Node
	Style Style
}

// Classed is a part that is given a class.
type Classed struct {
	Body Node
	As   Class
}

// A Root is the square root of a body, or the root that Index says.
type Root struct{ Body, Index Node }

// An Accent is a mark over a body, or under it. A wide one is as wide as the body.
type Accent struct {
	Mark        rune
	Body        Node
	Wide, Under bool
}

// A Fence is a body between delimiters as high as it. Either may be empty. Middle delimiters are Symbols of Size -1.
type Fence struct {
	Left, Right string
	Body        Node
}

// A Table is rows of cells: a matrix, cases, aligned equations.
type Table struct {
	Cells   [][]Node
	Align   string // l, c or r for each column; the last holds for all after it
	Aligned bool   // equations: displayed, the gap is after every second column
	Small   bool
}

func (Row) class() Class      { return Ord }
func (s Symbol) class() Class { return s.Class }
func (Words) class() Class    { return Ord }
func (Space) class() Class    { return Ord }
func (s Scripts) class() Class {
	if s.Base == nil {
		return Ord
	}
	return s.Base.class()
}
func (Fraction) class() Class  { return Inner }
func (s Styled) class() Class  { return s.Body.class() }
func (c Classed) class() Class { return c.As }
func (Root) class() Class      { return Ord }
func (Accent) class() Class    { return Ord }
func (Fence) class() Class     { return Inner }
func (Table) class() Class     { return Ord }

// spaces holds the space between two classes: 0 none, 1 thin, 2 medium, 3 thick; a negative one is left out in scripts. Row
// and column are in the order of the classes (The TeXbook, page 170).
var spaces = [8][8]int{
	Ord:   {0, 1, -2, -3, 0, 0, 0, -1},
	Op:    {1, 1, 0, -3, 0, 0, 0, -1},
	Bin:   {-2, -2, 0, 0, -2, 0, 0, -2},
	Rel:   {-3, -3, 0, 0, -3, 0, 0, -3},
	Open:  {0, 0, 0, 0, 0, 0, 0, 0},
	Close: {0, 1, -2, -3, 0, 0, 0, -1},
	Punct: {-1, -1, 0, -1, -1, -1, -1, -1},
	Inner: {-1, 1, -2, -3, -1, 0, -1, -1},
}

// widths are those of the four spaces in ems.
var widths = [4]Space{0, 3. / 18, 4. / 18, 5. / 18}

// Spaced returns the row with the spaces that TeX puts between its parts. In a script there are fewer.
func (r Row) Spaced(script bool) Row {
	classes := r.classes()
	var out Row
	before := Class(-1)
	for i, n := range r {
		if _, space := n.(Space); space {
			out = append(out, n)
			continue
		}
		if before >= 0 {
			k := spaces[before][classes[i]]
			if k < 0 && script {
				k = 0
			}
			if w := widths[max(k, -k)]; w > 0 {
				out = append(out, w)
			}
		}
		before = classes[i]
		out = append(out, n)
	}
	return out
}

// classes returns the class of each part. A binary operator that has nothing to combine is an ordinary symbol: the sign of -x.
func (r Row) classes() []Class {
	out := make([]Class, len(r))
	before := -1 // the part before, spaces left out
	for i, n := range r {
		if _, space := n.(Space); space {
			continue
		}
		out[i] = n.class()
		switch {
		case out[i] == Bin && (before < 0 || out[before] == Bin || out[before] == Op || out[before] == Rel || out[before] == Open || out[before] == Punct):
			out[i] = Ord
		case before >= 0 && out[before] == Bin && (out[i] == Rel || out[i] == Close || out[i] == Punct):
			out[before] = Ord
		}
		before = i
	}
	if before >= 0 && out[before] == Bin {
		out[before] = Ord
	}
	return out
}
