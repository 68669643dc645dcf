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
