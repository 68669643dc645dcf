# One-step-ahead laws of a hidden Markov model with given parameters, for TestPredictive: quantiles by uniroot for normal
# outputs, by search for counts. R only. Run: Rscript predictive.R > predictive.json
set.seed(11)
n <- 25; h <- 3
A <- rbind(c(.9, .1), c(.25, .75)); start <- c(.3, .7)
mu <- c(-1, 2); s <- c(.8, 1.5); rate <- c(2, 7)
x <- round(rnorm(n, sample(mu, n, TRUE)), 3); y <- rpois(n, sample(rate, n, TRUE))
laws <- function(b) {
  out <- matrix(0, n + h, 2); u <- start
  for (i in 1:(n + h)) { out[i, ] <- u; if (i <= n) { u <- u * b[i, ]; u <- u / sum(u) }; u <- as.vector(u %*% A) }
  out
}
g <- laws(cbind(dnorm(x, mu[1], s[1]), dnorm(x, mu[2], s[2])))
p <- laws(cbind(dpois(y, rate[1]), dpois(y, rate[2])))
q <- function(w, a) uniroot(function(v) sum(w * pnorm(v, mu, s)) - a, c(-50, 50), tol = 1e-13)$root
k <- function(w, a) { v <- 0; while (sum(w * ppois(v, rate)) < a) v <- v + 1; v }
m <- as.vector(g %*% mu)
num <- function(a) paste0("[", paste(format(a, digits = 12, trim = TRUE), collapse = ", "), "]")
cat('{"made": "', R.version.string, ', Rscript predictive.R",\n"x": ', num(x), ',\n"y": ', num(y), ',\n"state": ', num(g[, 1]),
    ',\n"mean": ', num(m), ',\n"sd": ', num(sqrt(as.vector(g %*% (s^2 + mu^2)) - m^2)),
    ',\n"low": ', num(apply(g, 1, q, a = .05)), ',\n"high": ', num(apply(g, 1, q, a = .95)),
    ',\n"counts_low": ', num(apply(p, 1, k, a = .05)), ',\n"counts_high": ', num(apply(p, 1, k, a = .95)), '}\n', sep = "")
