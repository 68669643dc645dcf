//go:build ignore

// The generic functions of package hkdf.
package hkdf

import (
	"gaucho/interp/symbols/internal/inst"
	"hash"
)

func Extract[H hash.Hash](h func() H, secret, salt []byte) ([]byte, error) {
	return inst.HKDFExtract(func() hash.Hash { return h() }, secret, salt)
}

func Expand[H hash.Hash](h func() H, pseudorandomKey []byte, info string, keyLength int) ([]byte, error) {
	return inst.HKDFExpand(func() hash.Hash { return h() }, pseudorandomKey, info, keyLength)
}

func Key[Hash hash.Hash](h func() Hash, secret, salt []byte, info string, keyLength int) ([]byte, error) {
	return inst.HKDFKey(func() hash.Hash { return h() }, secret, salt, info, keyLength)
}
