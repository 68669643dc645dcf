// Package methods uses methods of interfaces of the standard library as functions.
package methods

import (
	"io"
	"net"
)

// Ways are functions of an address.
var Ways = map[string]func(net.Addr) string{"string": net.Addr.String, "network": (net.Addr).Network}

// Read is a reader's method.
var Read = io.ReadCloser.Read
