package rl

import "math"

// A point is a state of up to ten numbers, by value so that integrators allocate
// nothing.
type point [10]float64

// rk4 returns the state after one step of the classical Runge-Kutta method.
func rk4(s point, h float64, f func(point) point) point {
	move := func(k point, h float64) point {
		out := s
		for i := range out {
			out[i] += h * k[i]
		}
		return out
	}
	k1 := f(s)
	k2 := f(move(k1, h/2))
	k3 := f(move(k2, h/2))
	k4 := f(move(k3, h))
	for i := range s {
		s[i] += h / 6 * (k1[i] + 2*k2[i] + 2*k3[i] + k4[i])
	}
	return s
}

// wrap brings an angle into [-pi, pi).
func wrap(x float64) float64 {
	y := math.Mod(x+math.Pi, 2*math.Pi)
	if y < 0 {
		y += 2 * math.Pi
	}
	return y - math.Pi
}

// clip brings x into [-bound, bound].
func clip(x, bound float64) float64 { return min(max(x, -bound), bound) }
