// Package memory allocates arrays that are large.
package memory
