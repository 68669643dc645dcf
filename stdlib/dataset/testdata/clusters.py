"""Writes clusters.json, what SciPy and scikit-learn find in the points that it holds: python3 clusters.py, with scipy 1.17.1, scikit-learn 1.9.1 and numpy 2.4.6."""

import json
import pathlib

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA
from sklearn.metrics import silhouette_samples

rng = np.random.default_rng(22)
cases = []
for n, d, k in ((7, 2, 2), (30, 3, 3), (60, 2, 4)):
    x = np.round(rng.normal(0, 1, (n, d)) + 4 * rng.integers(0, k, n)[:, None] * np.array([1, -0.5, 0.3][:d]), 4)
    fit = KMeans(k, n_init=200, random_state=0, tol=0, max_iter=1000).fit(x)
    p = PCA().fit(x)
    cases.append({
        "x": x.tolist(), "k": k, "within": fit.inertia_, "labels": fit.labels_.tolist(), "silhouette": silhouette_samples(x, fit.labels_).tolist(),
        "variances": p.explained_variance_.tolist(), "shares": p.explained_variance_ratio_.tolist(), "loadings": p.components_.T.tolist(),
        "linkage": {m: linkage(x, m).tolist() for m in ("ward", "average", "complete", "single")},
        "cut": {m: fcluster(linkage(x, m), k, "maxclust").tolist() for m in ("ward", "average", "complete", "single")},
    })
(pathlib.Path(__file__).parent / "clusters.json").write_text(json.dumps(cases, separators=(",", ":")) + "\n")
