package kernel

import "strings"

// exitRequest says whether a cell is a word that ends a console. In a session that declares the word it is a cell like
// any other.
func exitRequest(code string, s Session) bool {
	word := strings.TrimSpace(code)
	if word != "exit" && word != "quit" {
		return false
	}
	_, known := s.Inspect(word, len(word), 0)
	return !known
}

// askExit answers an exit request: a console asks its user or ends, other clients do nothing.
func askExit(number int64) object {
	return object{
		"status": "ok", "execution_count": number, "user_expressions": object{},
		"payload": []any{object{"source": "ask_exit", "keepkernel": false}},
	}
}
