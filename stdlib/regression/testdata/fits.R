# Writes plants.csv, and what R computes of it: every figure in fits.csv and the printed summaries in summaries.txt.
# Rscript fits.R, in this directory. R 4.2.2 (Debian r-base-core 4.2.2.20221110-2).
set.seed(20)
n <- 60
plants <- data.frame(
  plot = sample(c("A", "B", "C"), n, TRUE), treated = sample(c(TRUE, FALSE), n, TRUE),
  days = round(runif(n, 5, 40), 1), block = sample(1:4, n, TRUE))
plants$height <- round(3 + 0.4 * plants$days + 2 * plants$treated * (plants$plot != "C") + 1.5 * (plants$plot == "B") + rnorm(n, 0, 2), 2)
plants$flowers <- rpois(n, exp(-0.5 + 0.05 * plants$days + 0.4 * plants$treated))
plants$died <- as.integer(runif(n) < plogis(1 - 0.1 * plants$days + (plants$plot == "C")))
plants$height[c(4, 17)] <- NA
plants$treated[9] <- NA
plants$plot[30] <- NA
write.csv(plants, "plants.csv", row.names = FALSE, quote = FALSE, na = "")
plants <- read.csv("plants.csv", na.strings = "")

out <- NULL
put <- function(fit, quantity, name, value) out <<- rbind(out, data.frame(fit, quantity, name, value = sprintf("%.17g", value)))
report <- function(formula, family = NULL, new = plants[1:8, ]) {
  key <- paste(family, formula)
  m <- if (is.null(family)) lm(as.formula(formula), plants) else glm(as.formula(formula), family, plants)
  s <- summary(m)
  k <- s$coefficients
  for (name in names(coef(m))) put(key, "estimate", name, coef(m)[name])
  for (name in rownames(k)) {
    put(key, "se", name, k[name, 2]); put(key, "statistic", name, k[name, 3]); put(key, "p", name, k[name, 4])
  }
  ci <- confint.default(m)
  if (is.null(family)) ci <- confint(m)
  for (name in rownames(k)) { put(key, "low", name, ci[name, 1]); put(key, "high", name, ci[name, 2]) }
  put(key, "aic", "", AIC(m)); put(key, "loglik", "", logLik(m)); put(key, "deviance", "", deviance(m)); put(key, "df", "", m$df.residual)
  if (is.null(family)) {
    put(key, "sigma", "", s$sigma); put(key, "r2", "", s$r.squared); put(key, "adjusted", "", s$adj.r.squared)
    if (!is.null(s$fstatistic)) put(key, "f", "", s$fstatistic[1])
  } else { put(key, "nulldeviance", "", m$null.deviance); put(key, "nulldf", "", m$df.null) }
  p <- predict(m, new, se.fit = TRUE, type = "response")
  for (i in 1:nrow(new)) { put(key, "fit", i - 1, p$fit[i]); put(key, "fitse", i - 1, p$se.fit[i]) }
  for (i in seq_along(residuals(m))) { put(key, "residual", i - 1, residuals(m)[i]); put(key, "leverage", i - 1, hatvalues(m)[i]); put(key, "standard", i - 1, rstandard(m)[i]) }
  cat("##", key, "\n")
  print(s)
}
sink("summaries.txt")
options(warn = 1, width = 120, useFancyQuotes = FALSE)
for (f in c("height ~ days", "height ~ treated + plot", "height ~ treated * plot + days", "log(height) ~ log(days) + I(days^2) + plot",
            "height ~ 0 + plot + days", "height ~ plot:days", "height ~ (treated + plot + days)^2 - plot:days", "height ~ factor(block) + days:treated", "height ~ 1",
            "height ~ days + I(2 * days) + plot", "height ~ treated:plot", "sqrt(height) ~ I((days - 20)/10) - 1"))
  suppressWarnings(report(f))
for (f in c("died ~ days", "died ~ days + plot + treated", "died ~ 0 + plot", "treated ~ height + flowers")) report(f, "binomial")
for (f in c("flowers ~ days + treated", "flowers ~ log(days) + plot")) report(f, "poisson")
sink()
both <- function(key, a, b, test) {
  r <- anova(a, b, test = test)
  put(key, "anova", "p", r[2, ncol(r)])
  put(key, "anova", "reduction", r[2, 4])
  if (test == "F") put(key, "anova", "F", r[2, 5])
}
d <- na.omit(plants)
both("height", lm(height ~ days, d), lm(height ~ days + treated * plot, d), "F")
both("died", glm(died ~ 1, binomial, d), glm(died ~ days + plot, binomial, d), "Chisq")
write.csv(out, "fits.csv", row.names = FALSE)
