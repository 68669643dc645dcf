package pool

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Whoever has the token of a pool can have a worker run code, and all users of a machine can reach a server that listens on
// it. So a server that is given no token takes the one of its user, from a file that nobody else can read, which is made at
// first use. Workers of the same user on the same machine find it there.

// withToken returns the settings with the user's token where they name a server on this machine and no token. A server
// makes one if there is none yet.
func (p *Settings) withToken(server bool) (*Settings, error) {
	if p.Token != "" || p.Credentials != "" || server && p.URL != "" {
		return p, nil
	}
	if !server {
		if u, err := url.Parse(p.URL); err != nil || !isLoopback(u.Hostname()) {
			return p, nil
		}
	}
	token, err := ownToken(server, func(file, token string) {
		p.log().Info("a token was made for this and later pools on this machine; whoever has it can have workers run code as you", "file", file, "token", token)
	})
	if err != nil {
		return nil, err
	}
	with := *p
	with.Token = token
	return &with, nil
}

// ownToken reads the user's token. If there is none, it is made or empty; made is called with it.
func ownToken(create bool, made func(file, token string)) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("pool: there is no place for a token: %w; Settings.Token gives one", err)
	}
	file := filepath.Join(dir, "gaucho", "pool-token")
	text, err := readPrivate(file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || !create {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return text, err
	}
	token := rand.Text()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return "", fmt.Errorf("pool: the token: %w", err)
	}
	// Another server may make one at the same time: the file appears whole, and the first one counts.
	f, err := os.CreateTemp(filepath.Dir(file), ".pool-token-") // which only its owner can read
	if err != nil {
		return "", fmt.Errorf("pool: the token: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Link(f.Name(), file)
	}
	if errors.Is(err, fs.ErrExist) {
		return readPrivate(file)
	}
	if err != nil {
		return "", fmt.Errorf("pool: the token: %w", err)
	}
	if made != nil {
		made(file, token)
	}
	return token, nil
}

// readPrivate reads a token from a file that nobody else may read or write.
func readPrivate(file string) (string, error) {
	st, err := os.Lstat(file)
	if err != nil {
		return "", fmt.Errorf("pool: the token: %w", err)
	}
	if err := checkPrivate(st); err != nil {
		return "", fmt.Errorf("pool: the token in %s is not kept private: %w; chmod 600 it, or remove it and a new one is made", file, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("pool: the token: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < 16 {
		return "", fmt.Errorf("pool: the file %s holds no token; remove it and a new one is made", file)
	}
	return token, nil
}
