//go:build !purego && !noasm && !nounsafe && !safe && !appengine

package variants

const variant = "full"
