"""A measure of how well text can be read."""

# The contrast of each text in output areas with what is behind it, least first.
CONTRAST = """
() => {
  const parse = c => (c.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((s, v, i) => s + v * [.2126, .7152, .0722][i], 0);
  const behind = e => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length >= 3 && (c.length < 4 || c[3] > .5)) return c;
    }
    return [255, 255, 255];
  };
  const all = [];
  for (const e of document.querySelectorAll('.jp-OutputArea-output *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || e.closest('svg, script, style')) continue;
    const a = light(parse(getComputedStyle(e).color)), b = light(behind(e));
    all.push([(Math.max(a, b) + .05) / (Math.min(a, b) + .05), e.textContent.trim().slice(0, 40)]);
  }
  return all.sort((x, y) => x[0] - y[0]);
}
"""
