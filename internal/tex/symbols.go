package tex

import (
	"strings"
	"sync"
)

// The symbols of each class: pairs of a command's name and the character that it stands for.
var symbolLists = map[Class]string{
	Ord: `Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
		infty ∞ partial ∂ nabla ∇ forall ∀ exists ∃ nexists ∄ emptyset ∅ varnothing ∅ neg ¬ lnot ¬ top ⊤ bot ⊥
		ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ wp ℘ imath ı jmath ȷ angle ∠ triangle △ prime ′ backslash \ # # $ $ % % & & _ _
		square □ Box □ Diamond ◇ star ⋆ clubsuit ♣ diamondsuit ♢ heartsuit ♡ spadesuit ♠ flat ♭ natural ♮ sharp ♯
		checkmark ✓ degree ° dagger † ddagger ‡ S § P ¶ pounds £ blacksquare ■ bigstar ★ complement ∁
		vdots ⋮ | ‖ Vert ‖ vert |`,
	Bin: `pm ± mp ∓ times × div ÷ cdot ⋅ ast ∗ circ ∘ bullet ∙ oplus ⊕ ominus ⊖ otimes ⊗ oslash ⊘ odot ⊙
		wedge ∧ land ∧ vee ∨ lor ∨ cap ∩ cup ∪ setminus ∖ smallsetminus ∖ sqcap ⊓ sqcup ⊔ uplus ⊎ amalg ⨿ wr ≀
		diamond ⋄ bigtriangleup △ bigtriangledown ▽ triangleleft ◁ triangleright ▷ dag † ddag ‡ boxplus ⊞ boxtimes ⊠ ltimes ⋉ rtimes ⋊`,
	Rel: `le ≤ leq ≤ leqslant ⩽ ge ≥ geq ≥ geqslant ⩾ ne ≠ neq ≠ lt < gt > ll ≪ gg ≫ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡
		propto ∝ varpropto ∝ asymp ≍ doteq ≐ triangleq ≜ coloneqq ≔ prec ≺ succ ≻ preceq ⪯ succeq ⪰ preccurlyeq ≼ succcurlyeq ≽
		lesssim ≲ gtrsim ≳ in ∈ notin ∉ ni ∋ subset ⊂ supset ⊃ subseteq ⊆ supseteq ⊇ subsetneq ⊊ supsetneq ⊋ sqsubseteq ⊑ sqsupseteq ⊒
		mid ∣ nmid ∤ parallel ∥ perp ⊥ vdash ⊢ dashv ⊣ models ⊨ vDash ⊨ bowtie ⋈ smile ⌣ frown ⌢
		to → rightarrow → longrightarrow ⟶ gets ← leftarrow ← longleftarrow ⟵ leftrightarrow ↔ longleftrightarrow ⟷
		Rightarrow ⇒ Longrightarrow ⟹ implies ⟹ Leftarrow ⇐ Longleftarrow ⟸ impliedby ⟸ Leftrightarrow ⇔ Longleftrightarrow ⟺ iff ⟺
		mapsto ↦ longmapsto ⟼ hookrightarrow ↪ hookleftarrow ↩ uparrow ↑ downarrow ↓ updownarrow ↕ Uparrow ⇑ Downarrow ⇓
		nearrow ↗ searrow ↘ swarrow ↙ nwarrow ↖ rightharpoonup ⇀ leftharpoonup ↼ rightleftharpoons ⇌ rightsquigarrow ⇝ leadsto ⇝
		twoheadrightarrow ↠ upharpoonright ↾ colon :`,
	Open:  `{ { lbrace { langle ⟨ lceil ⌈ lfloor ⌊ lvert | lVert ‖ lbrack [ lgroup ⟮`,
	Close: `} } rbrace } rangle ⟩ rceil ⌉ rfloor ⌋ rvert | rVert ‖ rbrack ] rgroup ⟯`,
	Inner: `ldots … dots … dotsc … cdots ⋯ dotsb ⋯ dotsm ⋯ dotsi ⋯ ddots ⋱`,
}

// Letters are in italics: the lower-case Greek ones are.
const letterList = `alpha α beta β gamma γ delta δ epsilon ϵ varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ varkappa ϰ
	lambda λ mu μ nu ν xi ξ omicron ο pi π varpi ϖ rho ρ varrho ϱ sigma σ varsigma ς tau τ upsilon υ phi ϕ varphi φ chi χ psi ψ omega ω
	digamma ϝ`

// Large operators. Those in the second list have their scripts at the right also in a display.
const (
	limitsList   = `sum ∑ prod ∏ coprod ∐ bigcup ⋃ bigcap ⋂ bigoplus ⨁ bigotimes ⨂ bigodot ⨀ bigvee ⋁ bigwedge ⋀ bigsqcup ⨆ biguplus ⨄`
	integralList = `int ∫ iint ∬ iiint ∭ oint ∮`
)

// Functions, and those whose subscript is below them in a display.
const (
	functionList = `log ln lg exp sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan arg deg dim hom ker`
	limitFuncs   = `max min sup inf lim limsup liminf det Pr gcd argmax argmin`
)

// Accents: the mark, and whether it is as wide as the body.
var accents = map[string]Accent{
	"hat": {Mark: 'ˆ'}, "bar": {Mark: 'ˉ'}, "tilde": {Mark: '˜'}, "dot": {Mark: '˙'}, "ddot": {Mark: '¨'}, "vec": {Mark: '→'},
	"check": {Mark: 'ˇ'}, "breve": {Mark: '˘'}, "acute": {Mark: '´'}, "grave": {Mark: '`'}, "mathring": {Mark: '˚'},
	"widehat": {Mark: 'ˆ', Wide: true}, "widetilde": {Mark: '˜', Wide: true}, "overline": {Mark: '‾', Wide: true},
	"underline": {Mark: '_', Wide: true, Under: true}, "overrightarrow": {Mark: '→', Wide: true},
	"overbrace": {Mark: '⏞', Wide: true}, "underbrace": {Mark: '⏟', Wide: true, Under: true},
}

// Spaces, in ems.
var spaceCommands = map[string]Space{
	",": 3. / 18, ":": 4. / 18, ">": 4. / 18, ";": 5. / 18, "!": -3. / 18, " ": .25, "quad": 1, "qquad": 2, "enspace": .5, "enskip": .5,
	"thinspace": 3. / 18, "medspace": 4. / 18, "thickspace": 5. / 18, "negthinspace": -3. / 18, "nobreakspace": .25, "space": .25,
}

// Sizes of delimiters.
var sizes = map[string]float64{"big": 1.2, "Big": 1.8, "bigg": 2.4, "Bigg": 3}

// symbols holds all symbols by the names of their commands.
var symbols = sync.OnceValue(func() map[string]Symbol {
	m := map[string]Symbol{}
	pairs := func(list string, s Symbol) {
		words := strings.Fields(list)
		for i := 0; i+1 < len(words); i += 2 {
			s.Text = words[i+1]
			m[words[i]] = s
		}
	}
	for class, list := range symbolLists {
		pairs(list, Symbol{Class: class})
	}
	pairs(letterList, Symbol{Face: Italic})
	pairs(limitsList, Symbol{Class: Op, Large: true, Limits: true})
	pairs(integralList, Symbol{Class: Op, Large: true})
	for _, name := range strings.Fields(functionList) {
		m[name] = Symbol{Text: name, Class: Op, Function: true}
	}
	for _, name := range strings.Fields(limitFuncs) {
		m[name] = Symbol{Text: strings.NewReplacer("limsup", "lim sup", "liminf", "lim inf", "argm", "arg m").Replace(name), Class: Op, Function: true, Limits: true}
	}
	return m
})

// characters holds the symbols that are written as themselves.
var characters = sync.OnceValue(func() map[string]Symbol {
	m := map[string]Symbol{
		"-": {Text: "−", Class: Bin}, "+": {Text: "+", Class: Bin}, "*": {Text: "∗", Class: Bin}, "=": {Text: "=", Class: Rel},
		"<": {Text: "<", Class: Rel}, ">": {Text: ">", Class: Rel}, ":": {Text: ":", Class: Rel}, ",": {Text: ",", Class: Punct},
		";": {Text: ";", Class: Punct}, "(": {Text: "(", Class: Open}, "[": {Text: "[", Class: Open}, ")": {Text: ")", Class: Close},
		"]": {Text: "]", Class: Close}, "!": {Text: "!", Class: Close}, "?": {Text: "?", Class: Close}, "·": {Text: "⋅", Class: Bin},
	}
	for _, s := range symbols() {
		if _, known := m[s.Text]; !known && !s.Function && s.Text[0] >= 0x80 {
			m[s.Text] = s
		}
	}
	return m
})

// delimiters are what may follow \left, \right and \big.
var delimiters = sync.OnceValue(func() map[string]string {
	m := map[string]string{".": "", "(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "/": "/", "<": "⟨", ">": "⟩"}
	for _, name := range strings.Fields(`{ } | lbrace rbrace lbrack rbrack langle rangle lceil rceil lfloor rfloor lvert rvert lVert rVert
		vert Vert lgroup rgroup uparrow downarrow updownarrow Uparrow Downarrow backslash`) {
		m[`\`+name] = symbols()[name].Text
	}
	return m
})
