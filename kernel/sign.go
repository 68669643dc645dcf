package kernel

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"
	"sync"
)

// A signer makes and checks the signatures of messages, and remembers those that came in. Without a key nothing is signed
// and everything accepted.
type signer struct {
	pool *sync.Pool // of hash.Hash, keyed; nil without a key

	mu   sync.Mutex
	seen [2]map[string]bool // signatures that came in: the newest, and those before them
}

// keptSignatures is how many signatures are remembered at least; twice as many at most.
const keptSignatures = 1 << 16

var schemes = map[string]func() hash.Hash{
	"md5": md5.New, "sha1": sha1.New,
	"sha224": sha256.New224, "sha256": sha256.New, "sha384": sha512.New384, "sha512": sha512.New,
	"sha3_224": func() hash.Hash { return sha3.New224() }, "sha3_256": func() hash.Hash { return sha3.New256() },
	"sha3_384": func() hash.Hash { return sha3.New384() }, "sha3_512": func() hash.Hash { return sha3.New512() },
}

// newSigner takes a scheme of the form hmac-HASH with the hash's name as Python spells it.
func newSigner(scheme, key string) (*signer, error) {
	name, ok := strings.CutPrefix(scheme, "hmac-")
	h := schemes[name]
	if !ok || h == nil {
		return nil, fmt.Errorf("signature_scheme is %q, must be hmac-sha256 or another hmac-HASH", scheme)
	}
	if key == "" {
		return &signer{}, nil
	}
	return &signer{pool: &sync.Pool{New: func() any { return hmac.New(h, []byte(key)) }}}, nil
}

// sign returns the signature of the frames in hexadecimal digits.
func (s *signer) sign(frames ...[]byte) []byte {
	if s.pool == nil {
		return []byte{}
	}
	mac := s.pool.Get().(hash.Hash)
	defer s.pool.Put(mac)
	mac.Reset()
	for _, f := range frames {
		mac.Write(f)
	}
	sum := mac.Sum(make([]byte, 0, 64))
	return hex.AppendEncode(nil, sum)
}

// check says whether signature is that of the frames, in time that does not depend on where they differ.
func (s *signer) check(signature []byte, frames ...[]byte) bool {
	return s.pool == nil || hmac.Equal(signature, s.sign(frames...))
}

// fresh reports whether a signature that is right comes for the first time, and remembers it.
func (s *signer) fresh(signature []byte) bool {
	if s.pool == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.seen[0][string(signature)] || s.seen[1][string(signature)] {
		return false
	}
	if len(s.seen[0])%keptSignatures == 0 {
		s.seen[0], s.seen[1] = map[string]bool{}, s.seen[0]
	}
	s.seen[0][string(signature)] = true
	return true
}
