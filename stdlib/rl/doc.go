// Package rl is reinforcement learning: environments with public dynamics, finite
// Markov decision processes and their exact solutions, smoothed Bellman error
// embedding (SBEED) and the methods that it is compared with.
//
// An environment is what people know from Gymnasium:
//
//	env := rl.NewEnv(rl.NewPendulum(), rng)
//	for seen := env.Reset(); ; {
//		next, reward, terminated, truncated := env.Step(act(seen))
//		...
//	}
//
// It is built on a [System], physics without a state, so that a [Vector] can step
// thousands of environments on all cores. [Env.Render] draws a state and [Record]
// makes an animation that a notebook shows.
//
// Everything random comes from the rng that is passed in, and results do not depend
// on the number of cores.
package rl
