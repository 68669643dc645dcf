# Standard errors by observed information, for TestStandardErrors: the likelihood is written out here, maximised by optim and
# differentiated by optimHess, in natural parameters. R only. Run: Rscript errors.R > errors.json
set.seed(7)
n <- 150
z <- integer(n); z[1] <- 1
A <- rbind(c(.9, .1), c(.25, .75))
for (i in 2:n) z[i] <- sample(2, 1, prob = A[z[i - 1], ])
x <- round(rnorm(n, c(-1, 1.5)[z], c(.8, 1.2)[z]), 3)
y <- rpois(n, c(2, 7)[z])
v <- round(ifelse(runif(n) < .35, rnorm(n, -2, .7), rnorm(n, 1, 1.1)), 3)

forward <- function(b, A, start) {          # b: n x 2 densities
  u <- start * b[1, ]; l <- log(sum(u)); u <- u / sum(u)
  for (i in 2:nrow(b)) { u <- as.vector(u %*% A) * b[i, ]; l <- l + log(sum(u)); u <- u / sum(u) }
  l
}
law <- function(p) rbind(c(1 - p[1], p[1]), c(p[2], 1 - p[2]))
gauss <- function(p) -forward(cbind(dnorm(x, p[3], sqrt(p[5])), dnorm(x, p[4], sqrt(p[6]))), law(p), c(.5, .5))
pois <- function(p) -forward(cbind(dpois(y, p[3]), dpois(y, p[4])), law(p), c(.5, .5))
mix <- function(p) -sum(log(p[1] * dnorm(v, p[2], sqrt(p[4])) + (1 - p[1]) * dnorm(v, p[3], sqrt(p[5]))))

fit <- function(f, start, lower, upper) {
  inside <- function(p) if (any(p < lower | p > upper)) 1e9 else f(p)
  p <- start
  for (round in 1:4) p <- optim(p, inside, method = "Nelder-Mead", control = list(reltol = 1e-15, maxit = 20000))$par
  for (round in 1:30) {                     # Newton steps
    g <- sapply(seq_along(p), function(i) { d <- replace(0 * p, i, 1e-4 * abs(p[i])); (inside(p + d) - inside(p - d)) / (2 * sum(d)) })
    p <- p - as.vector(solve(optimHess(p, inside, control = list(ndeps = 1e-3 * abs(p))), g))
  }
  h <- optimHess(p, inside, control = list(ndeps = 1e-3 * abs(p)))
  list(par = p, se = sqrt(diag(solve(h))), ll = -f(p))
}
e <- 1e-3
g <- fit(gauss, c(.1, .25, -1, 1.5, .64, 1.44), c(e, e, -9, -9, e, e), c(1 - e, 1 - e, 9, 9, 9, 9))
q <- fit(pois, c(.1, .25, 2, 7), c(e, e, e, e), c(1 - e, 1 - e, 50, 50))
m <- fit(mix, c(.35, -2, 1, .5, 1.2), c(e, -9, -9, e, e), c(1 - e, 9, 9, 9, 9))
num <- function(a) paste0("[", paste(format(a, digits = 10, trim = TRUE), collapse = ", "), "]")
one <- function(name, data, r) cat(sprintf('"%s": {"x": %s, "par": %s, "se": %s, "ll": %s}', name, num(data), num(r$par), num(r$se), format(r$ll, digits = 12)))
cat('{"made": "', R.version.string, ', Rscript errors.R",\n', sep = "")
one("gauss", x, g); cat(",\n"); one("poisson", y, q); cat(",\n"); one("mixture", v, m); cat("}\n")
