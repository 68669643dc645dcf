"""The conda recipe, as rattler-build reads it. Nothing is built: what a build needs comes from conda's channels."""

import json
import os
import pathlib
import subprocess

import pytest
import rattler_build

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
GAUCHO = os.environ.get("GAUCHO", str(ROOT / "gaucho"))


@pytest.mark.parametrize("platform", ["linux-64", "linux-aarch64", "osx-arm64", "win-64"])
def test_it_renders(platform):
    recipe = rattler_build.Stage0Recipe.from_file(ROOT / "install" / "conda" / "recipe.yaml")
    config = rattler_build.RenderConfig(rattler_build.PlatformConfig(target_platform=platform))
    [variant] = recipe.render(rattler_build.VariantConfig({"python": ["3.13.*"]}), config)
    version = json.loads(subprocess.run([GAUCHO, "version", "--json"], capture_output=True, check=True).stdout)["version"]
    assert (variant.recipe.package.name, str(variant.recipe.package.version)) == ("gaucho-kernel", version)
    told = variant.recipe.to_dict()
    for file in told["about"]["license_file"] + [f.rstrip("/") for t in told["tests"] for f in t.get("files", {}).get("source", [])]:
        assert (ROOT / file).exists(), file
    assert (ROOT / "install" / "conda" / told["source"][0]["path"]).resolve() == ROOT
