// Package asan stands in for the standard library's internal package of that name: the detector is off.
package asan

const Enabled = false
