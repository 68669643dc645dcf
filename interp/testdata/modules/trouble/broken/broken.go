package broken

func F() int { return "one" }
