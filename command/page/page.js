"use strict";
const toggle = document.querySelector(".toggle");
if (toggle) {
  toggle.onclick = () => {
    const hidden = document.body.classList.toggle("no-code");
    toggle.textContent = hidden ? "show code" : "hide code";
  };
}
for (const code of document.querySelectorAll(".code")) {
  if (!navigator.clipboard) break;
  const button = document.createElement("button");
  button.className = "copy";
  button.textContent = "copy";
  button.onclick = async () => {
    await navigator.clipboard.writeText(code.querySelector("code").textContent);
    button.textContent = "copied";
    setTimeout(() => button.textContent = "copy", 1500);
  };
  code.append(button);
}
const links = new Map();
for (const a of document.querySelectorAll(".contents a")) {
  links.set(decodeURIComponent(a.getAttribute("href").slice(1)), a);
}
if (links.size > 0) {
  const headings = [...links.keys()].map(id => document.getElementById(id)).filter(h => h);
  const mark = () => {
    let here = headings[0];
    for (const h of headings) if (h.getBoundingClientRect().top < 120) here = h;
    for (const [id, a] of links) a.classList.toggle("here", here && id === here.id);
  };
  document.addEventListener("scroll", mark, {passive: true});
  mark();
}
// What scrolls can be scrolled by the keyboard too.
const scrolls = () => {
  for (const e of document.querySelectorAll("pre, table, .display, .math.display")) {
    if (e.scrollWidth > e.clientWidth || e.scrollHeight > e.clientHeight) e.tabIndex = 0;
    else e.removeAttribute("tabindex");
  }
};
window.addEventListener("resize", scrolls, {passive: true});
window.addEventListener("load", scrolls);
