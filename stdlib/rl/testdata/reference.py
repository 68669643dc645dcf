"""Writes gymnasium.json: trajectories and tables of Gymnasium's environments, the truth of the tests beside it.

    python -m pip install gymnasium==1.4.0 && python reference.py > gymnasium.json

Actions are float64 (a float32 action would round Pendulum's torque), states are the environments' own, not what they
show, which is float32.
"""

import json
import platform

import gymnasium
import numpy

GAMES = ["Pendulum-v1", "CartPole-v1", "MountainCar-v0", "MountainCarContinuous-v0", "Acrobot-v1"]
STEPS = {"CartPole-v1": 12, "MountainCar-v0": 200, "MountainCarContinuous-v0": 999}


def walk(name, seed):
    env = gymnasium.make(name).unwrapped
    env.reset(seed=seed)
    rng = numpy.random.default_rng(seed)
    states, actions, rewards, ends = [list(map(float, env.state))], [], [], []
    for t in range(STEPS.get(name, 60)):
        if name == "Pendulum-v1":
            action = rng.uniform(-2.5, 2.5, 1)
        elif name == "MountainCarContinuous-v0":
            action = numpy.sign(env.state[1:2]) * rng.uniform(0.5, 1.2, 1)
        elif name == "MountainCar-v0":
            action = int(numpy.sign(env.state[1])) + 1 if rng.uniform() < 0.9 else int(rng.integers(3))
        else:
            action = int(rng.integers(env.action_space.n))
        _, reward, terminated, _, _ = env.step(action)
        states.append(list(map(float, env.state)))
        actions.append(float(numpy.ravel(action)[0]))
        rewards.append(float(reward))
        ends.append(bool(terminated))
        if terminated:
            break
    return {"name": name, "states": states, "actions": actions, "rewards": rewards, "terminated": ends}


def table(name, **settings):
    env = gymnasium.make(name, **settings).unwrapped
    rows = [[[[float(p), int(s), float(r), bool(end)] for p, s, r, end in env.P[state][action]]
             for action in range(env.action_space.n)] for state in range(env.observation_space.n)]
    return {"name": name, "table": rows}


print(json.dumps({
    "made_by": f"gymnasium {gymnasium.__version__}, numpy {numpy.__version__}, Python {platform.python_version()}: python reference.py > gymnasium.json",
    "walks": [walk(name, seed) for name in GAMES for seed in (1, 2)],
    "tables": [table("CliffWalking-v1"), table("FrozenLake-v1"), table("FrozenLake-v1", is_slippery=False)],
}))
