//go:build ignore

// The generic function of package pbkdf2.
package pbkdf2

import (
	"gaucho/interp/symbols/internal/inst"
	"hash"
)

func Key[Hash hash.Hash](h func() Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	return inst.PBKDF2Key(func() hash.Hash { return h() }, password, salt, iter, keyLength)
}
