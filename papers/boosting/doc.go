// Package boosting holds the studies of chapter 3 of Yang 2018: kernel boosting, and when to stop it.
package boosting
