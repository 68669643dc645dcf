"""Adjusted p-values of statsmodels 0.15.0 (numpy 2.4.6) that the tests of package fdr compare with.

    python offline.py > offline.json
"""

import json

import numpy as np
from statsmodels.stats.multitest import multipletests

rng = np.random.default_rng(3)
p = np.round(np.concatenate([rng.beta(0.15, 5, 30), rng.random(70)]), 6)
p[5] = p[17]
print(json.dumps({"p": p.tolist(), "by": multipletests(p, method="fdr_by")[1].tolist(), "bh": multipletests(p, method="fdr_bh")[1].tolist(),
                  "rejectBY": [bool(r) for r in multipletests(p, alpha=0.1, method="fdr_by")[0]]}))
