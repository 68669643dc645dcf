"""Writes weighted.json, what statsmodels finds in plants.csv: python3 weighted.py, in this directory, with statsmodels 0.15.0 and pandas."""

import json

import numpy as np
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf

plants = pd.read_csv("plants.csv").dropna().reset_index(drop=True)
plants["treated"] = plants["treated"].astype(float)
plants["w"] = 1 + plants.index % 3
cases = []


def case(kind, formula, fit, weights="", offset="", errors=(), **more):
    found = {"estimate": fit.params.tolist(), "se": fit.bse.tolist(), "loglik": float(fit.llf), **more}
    cases.append({"kind": kind, "formula": formula, "weights": weights, "offset": offset, "want": found,
                  "errors": {name: list(map(float, bse)) for name, bse in errors}})


def linear(formula, weights="", offset=""):
    make = lambda: smf.wls(formula, plants, weights=plants[weights]) if weights else smf.ols(formula, plants)
    fit = make().fit()
    errors = [(k, getattr(fit, k + "_se")) for k in ("HC0", "HC1", "HC2", "HC3")]
    errors.append(("block", make().fit(cov_type="cluster", cov_kwds={"groups": plants["block"]}).bse))
    case("gaussian", formula, fit, weights, errors=errors, r2=fit.rsquared, adjusted=fit.rsquared_adj, f=fit.fvalue, sigma=np.sqrt(fit.scale))


def other(kind, formula, weights="", offset=""):
    family = {"binomial": sm.families.Binomial(), "poisson": sm.families.Poisson()}[kind]
    more = {}
    if weights:
        more["freq_weights"] = plants[weights]
    if offset:
        more["offset"] = np.log(plants["days"])
    make = lambda: smf.glm(formula, plants, family=family, **more)
    fit = make().fit(tol=1e-13)
    errors = []
    if not weights:
        errors = [("HC0", make().fit(cov_type="HC0", tol=1e-13).bse), ("block", make().fit(cov_type="cluster", cov_kwds={"groups": plants["block"]}, tol=1e-13).bse)]
    case(kind, formula, fit, weights, offset, errors, deviance=float(fit.deviance), nulldeviance=float(fit.null_deviance))


linear("height ~ days")
linear("height ~ days + treated", "w")
linear("height ~ days * treated + plot", "w")
other("poisson", "flowers ~ treated", offset="log(days)")
other("poisson", "flowers ~ treated + days", "w")
other("poisson", "flowers ~ treated", "w", "log(days)")
other("binomial", "died ~ days", "w")
other("binomial", "died ~ days + treated")
with open("weighted.json", "w") as f:
    f.write(json.dumps(cases, indent=0) + "\n")
