// Package driver is imported for its effect.
package driver

import "example.org/trouble/driver/registry"

func init() { registry.Names = append(registry.Names, "driver") }
