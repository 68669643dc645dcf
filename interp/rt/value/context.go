package value

import "context"

// ContextWithValue is context.WithValue. A context with a key or a value of a cell's type is one of this package's, for the
// other shows their boxes in its text.
func ContextWithValue(parent context.Context, key, val any) context.Context {
	k, boxed := BoxOf(key)
	if _, ok := BoxOf(val); parent == nil || !boxed && !ok {
		return context.WithValue(parent, key, val)
	}
	if boxed && !k.T.comparable() {
		panic("key is not comparable")
	}
	if !boxed {
		_ = context.WithValue(parent, key, nil) // which says what is wrong with a key
	}
	return &valueContext{parent, Unwrap(key), val}
}

type valueContext struct {
	context.Context
	key, val any
}

func (c *valueContext) Value(key any) any {
	if Equal(key, c.key) {
		return c.val
	}
	return c.Context.Value(key)
}

// String is the text that a context of package context has.
func (c *valueContext) String() string {
	parent := ""
	if s, ok := c.Context.(interface{ String() string }); ok {
		parent = s.String()
	} else {
		parent = typeName(c.Context)
	}
	return parent + ".WithValue(" + contextText(c.key) + ", " + contextText(c.val) + ")"
}

func contextText(v any) string {
	if b, ok := BoxOf(v); ok {
		if m := b.T.method("String"); m != nil {
			if f, ok := m.Func.(func(any) string); ok {
				return f(b.V)
			}
		}
		return b.T.String
	}
	switch v := v.(type) {
	case interface{ String() string }:
		return v.String()
	case string:
		return v
	case nil:
		return "<nil>"
	}
	return typeName(v)
}
