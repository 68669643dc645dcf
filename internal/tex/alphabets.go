package tex

// An alphabet is a kind of letters that Unicode has as characters of their own, or a face.
type alphabet int

const (
	standard alphabet = iota // variables in italics, all else upright
	upright
	italic
	bold
	boldSymbol // bold, and variables in italics
	script
	doubleStruck
	fraktur
	typewriter
)

var fontCommands = map[string]alphabet{
	"mathrm": upright, "mathup": upright, "mathsf": upright, "mathnormal": standard, "mathit": italic, "mathbf": bold, "boldsymbol": boldSymbol,
	"bm": boldSymbol, "mathcal": script, "mathscr": script, "mathbb": doubleStruck, "mathfrak": fraktur, "mathtt": typewriter,
}

// switches change the letters of all that follows in a group.
var switches = map[string]alphabet{"rm": upright, "it": italic, "bf": bold, "cal": script, "tt": typewriter, "sf": upright}

// Where the alphabets of Unicode's block Mathematical Alphanumeric Symbols begin: A, a and 0; zero for none.
var blocks = map[alphabet][3]rune{
	script:       {0x1D49C, 0x1D4B6, 0},
	doubleStruck: {0x1D538, 0x1D552, 0x1D7D8},
	fraktur:      {0x1D504, 0x1D51E, 0},
	typewriter:   {0x1D670, 0x1D68A, 0x1D7F6},
}

// older are the letters that Unicode had before the block, whose places in it are empty.
var older = map[rune]rune{
	0x1D49D: 'ℬ', 0x1D4A0: 'ℰ', 0x1D4A1: 'ℱ', 0x1D4A3: 'ℋ', 0x1D4A4: 'ℐ', 0x1D4A7: 'ℒ', 0x1D4A8: 'ℳ', 0x1D4AD: 'ℛ', 0x1D4BA: 'ℯ', 0x1D4BC: 'ℊ', 0x1D4C4: 'ℴ',
	0x1D506: 'ℭ', 0x1D50B: 'ℌ', 0x1D50C: 'ℑ', 0x1D515: 'ℜ', 0x1D51D: 'ℨ',
	0x1D53A: 'ℂ', 0x1D53F: 'ℍ', 0x1D545: 'ℕ', 0x1D547: 'ℙ', 0x1D548: 'ℚ', 0x1D549: 'ℝ', 0x1D551: 'ℤ',
}

// letter returns a letter or digit in an alphabet.
func (a alphabet) letter(r rune, variable bool) Symbol {
	s := Symbol{Text: string(r)}
	switch {
	case a == standard && variable, a == italic && r > '9':
		s.Face = Italic
	case a == bold, a == boldSymbol && !variable:
		s.Face = Bold
	case a == boldSymbol:
		s.Face = BoldItalic
	}
	if from, ok := blocks[a]; ok {
		s.Text = string(shift(from, r))
	}
	return s
}

// shift returns a letter's or digit's character in a block, or itself where the block has none.
func shift(from [3]rune, r rune) rune {
	c := r
	switch {
	case r >= 'A' && r <= 'Z':
		c = from[0] + r - 'A'
	case r >= 'a' && r <= 'z':
		c = from[1] + r - 'a'
	case r >= '0' && r <= '9' && from[2] != 0:
		c = from[2] + r - '0'
	}
	if o, ok := older[c]; ok {
		return o
	}
	return c
}
