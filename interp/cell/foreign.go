package cell

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
)

// A word is a token of a line.
type word struct {
	tok    token.Token
	text   string
	column int // from 1
}

// wordsOf are the tokens of a line, without the semicolon that a scanner puts at its end.
func wordsOf(line string) []word {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(line))
	var s scanner.Scanner
	s.Init(file, []byte(line), func(token.Position, string) {}, 0)
	var out []word
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return out
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		if lit == "" || !tok.IsLiteral() && tok != token.IDENT && tok != token.ILLEGAL {
			lit = tok.String()
		}
		out = append(out, word{tok, lit, fset.Position(pos).Column})
	}
}

// besideWords are what Go has for words of other languages between two expressions.
var besideWords = map[string]string{
	"and": "Go writes && for and.", "or": "Go writes || for or.", "is": "Go writes == for is, and nil for None.",
	"in": "slices.Contains(xs, x) reports whether a slice has a value, _, ok := m[k] whether a map has a key.",
	"if": "Go has no conditional expression; write an if statement.",
}

// beforeWords are what Go has for words of other languages before an expression.
var beforeWords = map[string]string{
	"not":      "Go writes ! for not: !x.",
	"lambda":   "A function without a name: func(x float64) float64 { return x + 1 }",
	"function": "A function has the types of its parameters and result: func f(x float64) float64 { return x + 1 }",
	"print":    "A call has parentheses: fmt.Println(x).",
	"del":      "delete(m, k) takes a key out of a map; %del NAME takes a name out of the session.",
	"assert":   "if !ok { panic(\"...\") } ends the cell; package check compares values.",
	"raise":    "panic(\"...\") ends the cell; a function returns an error: return fmt.Errorf(\"...\").",
	"yield":    "A channel or a function for range gives values one by one: func(yield func(int) bool).",
	"with":     "A file is closed by defer f.Close() in a function; os.ReadFile(name) reads it at once.",
	"global":   "A function sees the variables of the session without a declaration.",
	"pip":      advice["%pip"], "conda": advice["%conda"],
}

// packagesInstead are what a session has for libraries of Python and R.
var packagesInstead = map[string]string{
	"pandas":     "df := must(table.Load(\"file.csv\")) reads a table; package table needs no import.",
	"polars":     "df := must(table.Load(\"file.csv\")) reads a table; package table needs no import.",
	"numpy":      "Slices, and the packages math, mat, floats and stat, need no import: mat.NewDense(2, 2, xs).",
	"scipy":      "Packages hypothesis, stat, optimize and integrate need no import: hypothesis.WelchT(xs, ys, nil).",
	"matplotlib": "Package plotting needs no import: plotting.Lines(x, y).", "seaborn": "Package plotting needs no import: plotting.Lines(x, y).",
	"sklearn":     "Packages regression, em, dataset and hypothesis need no import.",
	"statsmodels": "Package regression needs no import: must(regression.Fit(\"y ~ x\", df, nil)).",
	"torch":       "Packages nn and grad need no import.", "random": "rng := rand.New(rand.NewPCG(1, 2)) makes a source of random numbers.",
}

// abbreviations are the names that these libraries are imported by.
var abbreviations = map[string]string{"pd": "pandas", "pl": "polars", "np": "numpy", "plt": "matplotlib", "sns": "seaborn", "sm": "statsmodels", "ggplot": "matplotlib"}

// PackageInstead says what a session has for a library of another language, "" where none is known by the name.
func PackageInstead(name string) string {
	if long := abbreviations[name]; long != "" {
		name = long
	}
	return packagesInstead[name]
}

// foreignWords says what Go has for the words of another language around the place of a syntax error, "" when none is known.
func foreignWords(line string, column int) string {
	list := wordsOf(line)
	if len(list) == 0 {
		return ""
	}
	i := 0
	for i < len(list) && list[i].column < column {
		i++
	}
	at := func(j int) word {
		if j < 0 || j >= len(list) {
			return word{tok: token.EOF}
		}
		return list[j]
	}
	here, before := at(i), at(i-1)
	switch first, second := list[0], at(1); {
	case strings.ContainsRune(here.text, '#') && here.tok == token.ILLEGAL:
		return "A comment begins with //."
	case first.tok == token.IMPORT || first.text == "from":
		if instead := packagesInstead[second.text]; instead != "" {
			return instead
		}
		if second.tok == token.IDENT {
			return "An import is a string: import \"path\". Packages of Go, gonum and Gaucho need none."
		}
	case first.tok == token.GO && (second.text == "get" || second.text == "install" || second.text == "mod"):
		return "import \"path\" fetches a module by itself; %get path@version fetches one in a version."
	case first.tok == token.GO && (second.text == "run" || second.text == "build" || second.text == "test"):
		return "!go " + second.text + " runs a command of the shell."
	}
	switch {
	case here.tok == token.STRING && before.tok == token.STRING && before.text == `""`:
		return "A text of several lines is between backquotes."
	case here.tok == token.STRING && before.text == "f" && before.column+1 == here.column:
		return "fmt.Sprintf(\"%v\", x) fills values in."
	case here.tok == token.STRING && before.text == "r" && before.column+1 == here.column:
		return "A text between backquotes is taken as it is."
	case here.tok == token.RANGE && i == 0:
		return "for i := range n { ... } counts from 0 to n-1."
	case list[0].tok == token.TYPE && at(1).tok == token.LPAREN:
		return "fmt.Printf(\"%T\\n\", x) prints the type of x."
	case before.tok == token.INC || before.tok == token.DEC:
		return "x++ is a statement of its own, without a value."
	case here.tok == token.ASSIGN && opened(list[:i], token.LPAREN):
		return "A call names no arguments: they come in their order, and settings are a struct, &Settings{Field: value}."
	case here.tok == token.ASSIGN && i > 1 && list[1].tok == token.ASSIGN:
		return "A statement assigns once: a, b = 3, 3."
	case here.tok == token.COLON && (before.tok == token.COLON || at(i+1).tok == token.COLON):
		return "A slice has no steps: a loop takes every second element, for i := 0; i < len(xs); i += 2 {"
	case before.tok == token.COMMA && i > 3 && list[i-3].tok == token.LBRACK && list[i-4].tok == token.IDENT:
		return "m.At(0, 1) is an element of a matrix, xs[0][1] one of a slice of slices."
	case strings.ContainsRune(here.text, '$') && here.tok == token.ILLEGAL:
		return "A table's column is had by its name: df.Floats(\"column\"), df.Strings(\"column\")."
	case before.tok == token.MUL && here.tok == token.MUL_ASSIGN:
		return "x = math.Pow(x, y) raises to a power; for a square, multiply."
	case beforeWords[before.text] != "" && before.tok == token.IDENT:
		return beforeWords[before.text]
	case slices.ContainsFunc(list[:i], func(w word) bool { return w.text == "function" }):
		return beforeWords["function"]
	case here.tok == token.FOR && opened(list[:i], token.LBRACK, token.LPAREN, token.LBRACE):
		return "Go has no comprehensions; append in a loop: for _, x := range xs { ys = append(ys, x*x) }"
	case (here.tok == token.IDENT || here.tok == token.IF) && i > 0 && besideWords[here.text] != "":
		return besideWords[here.text]
	}
	if hint := literal(list, i); hint != "" {
		return hint
	}
	if last := list[len(list)-1]; last.tok == token.COLON && (list[0].tok == token.IF || list[0].tok == token.FOR || list[0].tok == token.ELSE) {
		return "A block is in braces: " + strings.TrimSuffix(strings.TrimSpace(line), ":") + " {"
	}
	return typeFirst(list, i)
}

// opened reports whether a bracket of one of the kinds is open at the end of the words.
func opened(list []word, kinds ...token.Token) bool {
	depth := map[token.Token]int{}
	for _, w := range list {
		switch w.tok {
		case token.LBRACK, token.LPAREN, token.LBRACE:
			depth[w.tok]++
		case token.RBRACK:
			depth[token.LBRACK]--
		case token.RPAREN:
			depth[token.LPAREN]--
		case token.RBRACE:
			depth[token.LBRACE]--
		}
	}
	for _, k := range kinds {
		if depth[k] > 0 {
			return true
		}
	}
	return false
}

// literal is about a list or a dictionary without its type, before or at the word with index i.
func literal(list []word, i int) string {
	for j := min(i, len(list)-1); j >= 0; j-- {
		w := list[j]
		if w.tok != token.LBRACK && w.tok != token.LBRACE || j > 0 && !opensValue(list[j-1].tok) || j+1 >= len(list) {
			continue
		}
		first := list[j+1]
		if w.tok == token.LBRACE {
			if j == 0 && !(j+2 < len(list) && list[j+2].tok == token.COLON) {
				continue // a block
			}
			if first.tok == token.RBRACE {
				return "A map or a slice has its type: map[string]int{} or []int{}."
			}
			if j+3 < len(list) && list[j+2].tok == token.COLON {
				return fmt.Sprintf("A map has its type: map[%s]%s{%s: %s}.", typeOf(first), typeOf(list[j+3]), first.text, list[j+3].text)
			}
			return fmt.Sprintf("A slice has its type: []%s{%s}.", typeOf(first), first.text)
		}
		if first.tok == token.RBRACK && j+2 < len(list) && list[j+2].tok != token.COMMA && list[j+2].tok != token.RPAREN {
			continue // a type
		}
		if first.tok == token.RBRACK {
			return "A slice has its type: []float64{}."
		}
		if first.tok == token.LBRACK {
			return "A slice has its type: [][]float64{{1, 2}, {3, 4}}."
		}
		var items []string
		for _, w := range list[j+1:] {
			if w.tok == token.RBRACK || w.tok == token.EOF {
				break
			}
			if w.tok != token.COMMA {
				items = append(items, w.text)
			}
		}
		return fmt.Sprintf("A slice has its type: []%s{%s}.", typeOf(first), strings.Join(items, ", "))
	}
	return ""
}

// opensValue reports whether a value can begin after a token.
func opensValue(t token.Token) bool {
	switch t {
	case token.ASSIGN, token.DEFINE, token.LPAREN, token.COMMA, token.RETURN, token.ADD, token.MUL, token.LBRACK, token.LBRACE, token.COLON:
		return true
	}
	return false
}

// typeOf is the type that a literal has by itself.
func typeOf(w word) string {
	switch w.tok {
	case token.INT:
		return "int"
	case token.STRING, token.CHAR:
		return "string"
	case token.IDENT:
		if w.text == "true" || w.text == "True" || w.text == "false" || w.text == "False" {
			return "bool"
		}
	}
	return "float64"
}

// typeFirst is about a declaration as C has it: int x = 5.
func typeFirst(list []word, i int) string {
	if i != 1 || len(list) < 2 || list[1].tok != token.IDENT {
		return ""
	}
	t := map[string]string{"int": "int", "float": "float64", "double": "float64", "bool": "bool", "string": "string", "char": "byte", "long": "int64", "auto": "", "let": ""}
	goType, ok := t[list[0].text]
	switch {
	case !ok:
		return ""
	case goType == "":
		return list[1].text + " := declares a variable and gives it its first value."
	}
	return fmt.Sprintf("The type comes after the name: var %s %s.", list[1].text, goType)
}
