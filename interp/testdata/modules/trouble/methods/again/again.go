// Package again uses a method that another package uses too.
package again

import "net"

// Name is a function of an address.
var Name = net.Addr.String
