"""The side of JAX and PyTorch in the benchmark: see bench.py."""

import json
import os
import pathlib
import sys
import time

os.environ["JAX_PLATFORMS"] = "cpu"
if os.environ.get("OMP_NUM_THREADS") == "1":
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)
DATA = pathlib.Path(sys.argv[1])


def load(name, *shape):
    return np.fromfile(DATA / name, dtype="<f8").reshape(*shape)


def unpack(flat, sizes):
    layers, at = [], 0
    for n, m in zip(sizes, sizes[1:]):
        layers.append((jnp.array(flat[at:at + n * m].reshape(n, m)), jnp.array(flat[at + n * m:at + (n + 1) * m])))
        at += (n + 1) * m
    return layers


def mlp(layers, x):
    for w, b in layers[:-1]:
        x = jnp.tanh(x @ w + b)
    w, b = layers[-1]
    return x @ w + b


def pack(layers):
    return np.concatenate([np.concatenate([np.ravel(w), np.ravel(b)]) for w, b in layers])


NET, X, Y = unpack(load("params", -1), [4, 64, 64, 1]), jnp.array(load("x", 64, 4)), jnp.array(load("y", 64, 1))
LOSS = jax.jit(jax.value_and_grad(lambda net, x, y: jnp.sum((mlp(net, x) - y) ** 2) / x.shape[0]))


def gradient():
    loss, grad = LOSS(NET, X, Y)
    jax.block_until_ready(grad)
    began = time.perf_counter()
    for _ in range(100):
        loss, grad = LOSS(NET, X, Y)
        jax.block_until_ready(grad)
    seconds = time.perf_counter() - began
    g = pack(grad)
    return seconds, [float(loss), float(np.linalg.norm(g)), float(g[0]), float(g[-1])]


def torch_gradient():
    import torch  # takes seconds, and memory, that the other cases need not pay

    torch.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    layers = []
    for w, b in unpack(load("params", -1), [4, 64, 64, 1]):
        linear = torch.nn.Linear(*w.shape, dtype=torch.float64)
        linear.weight.data, linear.bias.data = torch.tensor(np.array(w.T)), torch.tensor(np.array(b))
        layers += [linear, torch.nn.Tanh()]
    net, x, y = torch.nn.Sequential(*layers[:-1]), torch.tensor(load("x", 64, 4)), torch.tensor(load("y", 64, 1))

    def step():
        net.zero_grad()
        loss = ((net(x) - y) ** 2).sum() / len(x)
        loss.backward()
        return loss

    for _ in range(20):
        step()
    began = time.perf_counter()
    for _ in range(100):
        loss = step()
    seconds = time.perf_counter() - began
    g = np.concatenate([p.grad.numpy().T.ravel() for p in net.parameters()])
    return seconds, [loss.item(), float(np.linalg.norm(g)), float(g[0]), float(g[-1])]


# SBEED with the shapes of the default settings.
B, K, D, F, DISCOUNT, LAMBDA, ETA = 128, 10, 3, 100, 0.97, 0.1, 0.1
RNG = np.random.default_rng(1)
OMEGA, PHASE = jnp.array(RNG.normal(size=(D, F))), jnp.array(RNG.uniform(0, 2 * np.pi, F))
POWERS = jnp.array(DISCOUNT ** np.arange(K))


def fresh(sizes):
    return [(jnp.array(RNG.normal(size=(n, m)) * np.sqrt(2 / (n + m))), jnp.zeros(m)) for n, m in zip(sizes, sizes[1:])]


def adam(params, grad, state, rate):
    t, m, v = state
    t = t + 1
    norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(grad)))
    grad = jax.tree.map(lambda g: g * jnp.minimum(1, 10 / norm), grad)
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, grad)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, grad)
    params = jax.tree.map(lambda p, m, v: p - rate * m / (1 - 0.9**t) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8), params, m, v)
    return params, (t, m, v)


def deltas(v, pi, states, actions, rewards):
    w, b, log_std = pi
    mean = (jnp.sqrt(2 / F) * jnp.cos(states[:, :K].reshape(B * K, D) @ OMEGA + PHASE) @ w + b).reshape(B, K)
    z = jnp.clip((actions - mean) * jnp.exp(-log_std), -4.5, 4.5)
    logs = -z * z / 2 - log_std - 0.9189385332046727
    ends = mlp(v, jnp.concatenate([states[:, 0], states[:, K]]))[:, 0]
    return (rewards - LAMBDA * logs) @ POWERS + DISCOUNT**K * ends[B:], ends[:B]


def dual(rho, states, actions):
    return mlp(rho, jnp.concatenate([states[:, 0], actions], 1))[:, 0]


@jax.jit
def step(params, opt, states, actions, rewards):
    v, pi, rho = params
    delta, _ = deltas(v, pi, states, actions, rewards)
    grad = jax.grad(lambda rho: jnp.mean((delta - dual(rho, states, actions)) ** 2))(rho)
    rho, opt_rho = adam(rho, grad, opt[2], 3e-3)
    best = dual(rho, states, actions)

    def objective(v, pi):
        delta, value = deltas(v, pi, states, actions, rewards)
        return jnp.mean((delta - value) ** 2) - ETA * jnp.mean((delta - best) ** 2)

    grad_v, grad_pi = jax.grad(objective, (0, 1))(v, pi)
    v, opt_v = adam(v, grad_v, opt[0], 3e-3)
    pi, opt_pi = adam(pi, grad_pi, opt[1], 4e-3)
    return (v, pi, rho), (opt_v, opt_pi, opt_rho)


def update():
    params = fresh([D, 64, 64, 1]), (jnp.zeros((F, 1)), jnp.zeros(1), jnp.zeros(1)), fresh([D + K, 64, 64, 1])
    opt = tuple((0, jax.tree.map(jnp.zeros_like, p), jax.tree.map(jnp.zeros_like, p)) for p in params)
    batches = [(jnp.array(RNG.normal(size=(B, K + 1, D))), jnp.array(RNG.normal(size=(B, K))), jnp.array(RNG.normal(size=(B, K))))
               for _ in range(20)]
    params, opt = step(params, opt, *batches[0])
    jax.block_until_ready(params)
    began = time.perf_counter()
    for batch in batches:
        params, opt = step(params, opt, *batch)
    jax.block_until_ready(params)
    return time.perf_counter() - began, [20]


print(json.dumps({}), flush=True)
for line in sys.stdin:
    seconds, values = {"gradient": gradient, "gradient in PyTorch": torch_gradient, "update": update}[line.strip()]()
    print(json.dumps({"seconds": seconds, "values": values}), flush=True)
