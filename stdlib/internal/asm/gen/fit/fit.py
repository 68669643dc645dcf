"""Polynomial coefficients of the vector functions.

Each is the interpolant in Chebyshev nodes (within a factor of two of minimax)
of a smooth function, computed in 60 digits and rounded to float64 coefficient
by coefficient. Needs mpmath 1.4. Prints Go slices, lowest power first.

    python3 fit.py
"""
from mpmath import cos, erf, erfc, exp, expm1, log, lu_solve, matrix, mp, mpf, pi, sqrt

mp.dps = 60


def interpolate(f, a, b, degree):
    """Coefficients of the polynomial of this degree through f at the
    Chebyshev nodes of [a, b], in powers of x."""
    n = degree + 1
    a, b = mpf(a), mpf(b)
    xs = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    m = matrix(n, n)
    v = matrix(n, 1)
    for i, x in enumerate(xs):
        for j in range(n):
            m[i, j] = x ** j
        v[i] = f(x)
    return [c for c in lu_solve(m, v)]


def worst(f, c, a, b, scale, k=2000):
    """Largest |p - f| * scale(x) over a grid, coefficients as given."""
    w = mpf(0)
    for i in range(k + 1):
        x = mpf(a) + (mpf(b) - mpf(a)) * i / k
        p = mpf(0)
        for q in reversed(c):
            p = p * x + q
        w = max(w, abs(p - f(x)) * scale(x))
    return w


def show(name, f, a, b, degree, scale):
    c = [mpf(float(x)) for x in interpolate(f, a, b, degree)]
    print("// %s: degree %d on [%s, %s], weighted error %.2g" % (name, degree, a, b, worst(f, c, a, b, scale)))
    print("var %s = []float64{" % name)
    for x in c:
        print("\t%r," % float(x))
    print("}\n")


def limit(f, at, value):
    return lambda x: value if abs(x - at) < mpf(10) ** -25 else f(x)


# (e^r - 1 - r) / r^2, error relative to e^r = about 1.
show("expQ", limit(lambda r: (expm1(r) - r) / r ** 2, 0, mpf(1) / 2), -0.34662, 0.34662, 9, lambda r: r * r)

# erf(x)/x - 1 as a polynomial in z = x^2, 0 <= x <= 1, error relative to erf(x)/x.
f = limit(lambda z: erf(sqrt(z)) / sqrt(z) - 1, 0, 2 / sqrt(pi) - 1)
show("erfP", f, 0, 1, 13, lambda z: 1)

# exp(x^2) erfc(x) (1 + 2x) in t = (x - 2.25)/(x + 2.25), 1 <= x <= 27.5, relative error.
def g(t):
    x = mpf("2.25") * (1 + t) / (1 - t)
    return exp(x * x) * erfc(x) * (1 + 2 * x)


show("erfcG", g, (1 - mpf("2.25")) / (1 + mpf("2.25")), (mpf("27.5") - mpf("2.25")) / (mpf("27.5") + mpf("2.25")), 20, lambda t: 1 / g(t))

# pi/2 in parts of 53, 33 and 53 bits, and ln 2 in two of 53.
a = mpf(float(pi / 2))
b = pi / 2 - a
step = mpf(2) ** (mp.floor(log(b, 2)) - 32)
b33 = mp.floor(b / step) * step
print("// pi/2:", float(a).hex(), float(b33).hex(), float(b - b33).hex())
l = mpf(float(log(2)))
print("// ln 2:", float(l).hex(), float(log(2) - l).hex())


# The normal quantile x(p). Rational functions through Chebyshev nodes, linear
# in their coefficients, denominators starting with 1.
def rational(f, a, b, m, n):
    k = m + n + 1
    a, b = mpf(a), mpf(b)
    xs = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * k)) for i in range(k)]
    s = matrix(k, k)
    v = matrix(k, 1)
    for i, x in enumerate(xs):
        y = f(x)
        for j in range(m + 1):
            s[i, j] = x ** j
        for j in range(n):
            s[i, m + 1 + j] = -y * x ** (j + 1)
        v[i] = y
    c = list(lu_solve(s, v))
    return c[: m + 1], [mpf(1)] + c[m + 1 :]


def quantile(p):
    """x with Phi(x) = p < 1/2, by Newton's method on log Phi."""
    x = -sqrt(-2 * log(p)) + mpf("0.5") if p < mpf("0.1") else (p - mpf("0.5")) * sqrt(2 * pi)
    for _ in range(100):
        c = erfc(-x / sqrt(2)) / 2
        d = (log(c) - log(p)) * c / (exp(-x * x / 2) / sqrt(2 * pi))
        x -= d
        if abs(d) < mpf(10) ** -50:
            break
    return x


def showr(name, f, a, b, m, n, scale):
    num, den = rational(f, a, b, m, n)
    num, den = [mpf(float(c)) for c in num], [mpf(float(c)) for c in den]
    w = mpf(0)
    for i in range(401):
        x = mpf(a) + (mpf(b) - mpf(a)) * i / 400
        p = q = mpf(0)
        for c in reversed(num):
            p = p * x + c
        for c in reversed(den):
            q = q * x + c
        w = max(w, abs(p / q - f(x)) * scale(x))
    print("// %s: degrees %d/%d on [%s, %s], error %.2g of the result" % (name, m, n, a, b, w))
    for suffix, cs in (("N", num), ("D", den)):
        print("var %s%s = []float64{" % (name, suffix))
        for c in cs:
            print("\t%r," % float(c))
        print("}\n")


c0 = sqrt(2 * pi)
print("// sqrt(2 pi):", float(c0).hex(), float(c0 - mpf(float(c0))).hex())


def central(t):
    if t < mpf(10) ** -20:
        return c0 ** 3 / 6
    q = sqrt(t)
    return (-quantile(mpf("0.5") - q) / q - c0) / t


# In powers of 0.180625 - t, where all coefficients are positive.
edge = mpf("0.180625")
showr("quantileC", lambda u: central(edge - u), 0, edge, 8, 8, lambda u: (edge - u) / (c0 + (edge - u) * central(edge - u)))


def tail(slope, offset):
    return lambda r: -quantile(exp(-r * r)) - slope * r - offset


for name, lo, hi, slope, offset, m, n in (
    ("quantileM", "1.6", "5", mpf(1.5), mpf(-1), 8, 8),
    ("quantileF", "5", "27.3", mpf(1.4375), mpf(-0.75), 10, 9),
):
    f = tail(slope, offset)
    # In powers of r - lo, which starts at 0.
    g = lambda u, f=f, lo=lo: f(u + mpf(lo))
    x = lambda u, lo=lo: -quantile(exp(-(u + mpf(lo)) ** 2))
    showr(name, g, 0, mpf(hi) - mpf(lo), m, n, lambda u: 1 / x(u))
    print("// largest remainder:", mp.nstr(max(abs(g((mpf(hi) - mpf(lo)) * i / 50) / x((mpf(hi) - mpf(lo)) * i / 50)) for i in range(51)), 3))
