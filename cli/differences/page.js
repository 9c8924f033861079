"use strict";
// Hides and shows rows, steps through games, keeps the filters in the address (#q=...&kind=...), so that a view can be
// handed on. Everything is in the page already.

const form = document.getElementById("filters");
const findings = [...document.querySelectorAll("tbody[data-kind]")];
const boxes = [...form.querySelectorAll("[name=edition]")];
const selects = [...form.querySelectorAll("select")];
const filters = selects.filter((each) => each.name !== "order");
const groups = [...document.querySelectorAll("tbody.group")];
const arranged = [...document.querySelectorAll("#found > table > tbody")];
const MOST_OPEN = 12; // if there are no more rows than this, they are open at first
document.documentElement.classList.add("scripted");

// ---- filters

const folded = (text) => text.normalize("NFKC").toLocaleLowerCase();
const words = new Map(findings.map((finding) => [finding, folded(finding.textContent)]));

function parted(finding) {
  const letters = finding.dataset.letters.split(" ").filter((_, at) => boxes[at].checked);
  return letters.length < 2 || new Set(letters).size > 1;
}

function fits(finding) {
  const wanted = folded(form.q.value).split(/\s+/).filter(Boolean);
  return filters.every((each) => !each.value || finding.dataset[each.name].split(" ").includes(each.value))
    && wanted.every((word) => words.get(finding).includes(word)) && parted(finding);
}

function filter() {
  findings.forEach((finding) => { finding.hidden = !fits(finding); });
  const shown = findings.filter((finding) => !finding.hidden).length;
  groups.forEach((group) => {
    group.hidden = form.order.value !== ""
      || !findings.some((finding) => !finding.hidden && finding.dataset.section === group.dataset.group);
  });
  document.getElementById("count").value = `${shown} of ${findings.length}`;
  document.getElementById("nothing").hidden = shown > 0;
  for (const box of boxes) {
    const cells = document.querySelectorAll(`[data-edition="${CSS.escape(box.value)}"]`);
    cells.forEach((cell) => { cell.hidden = !box.checked; });
  }
}

// What matters most first, as the page has it; or as in the rules.
function arrange() {
  const table = findings[0] && findings[0].parentElement;
  if (!table || table.dataset.order === form.order.value) return;
  const rows = form.order.value === "" ? arranged : [...findings].sort((a, b) => a.dataset.at - b.dataset.at);
  table.append(...rows);
  table.dataset.order = form.order.value;
}

function update() {
  arrange();
  filter();
  const shown = findings.filter((finding) => !finding.hidden);
  if (form.q.value && shown.length <= MOST_OPEN) shown.forEach((finding) => fold(finding, true));
}

function keep() {
  const kept = new URLSearchParams();
  if (form.q.value) kept.set("q", form.q.value);
  selects.filter((each) => each.value).forEach((each) => kept.set(each.name, each.value));
  boxes.filter((box) => !box.checked).forEach((box) => kept.append("hide", box.value));
  history.replaceState(null, "", `#${kept}`);
}

function restore() {
  if (/^#(d-|hint|agreements)/.test(location.hash)) {
    const wanted = document.getElementById(location.hash.slice(1));
    if (wanted && wanted.dataset.kind) fold(wanted, true);
    if (wanted && wanted.matches("details")) wanted.open = true;
    return;
  }
  const kept = new URLSearchParams(location.hash.slice(1));
  form.q.value = kept.get("q") || "";
  selects.forEach((each) => { each.value = kept.get(each.name) || ""; });
  boxes.forEach((box) => { box.checked = !kept.getAll("hide").includes(box.value); });
  update();
}

form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("input", () => { update(); keep(); });
form.addEventListener("reset", () => setTimeout(() => { update(); keep(); }));
window.addEventListener("hashchange", restore);

// ---- rows, open or closed

const foldAll = document.getElementById("fold");

function fold(finding, open) {
  finding.classList.toggle("closed", !open);
  const button = finding.querySelector(".fold");
  button.textContent = open ? "Close" : "Open";
  button.setAttribute("aria-label", `${button.textContent} ${finding.querySelector("th a").textContent}`);
  button.setAttribute("aria-expanded", open);
}

function foldEvery(open) {
  findings.forEach((finding) => fold(finding, open));
  foldAll.textContent = open ? "Close all rows" : "Open all rows";
  foldAll.setAttribute("aria-expanded", open);
}

for (const finding of findings) {
  const button = finding.querySelector(".fold");
  button.hidden = false;
  button.addEventListener("click", () => fold(finding, finding.classList.contains("closed")));
  finding.addEventListener("click", (event) => {
    const isOther = event.target.closest("a, button, summary") || String(getSelection());
    if (finding.classList.contains("closed") && !isOther) fold(finding, true);
  });
}
foldAll.addEventListener("click", () => foldEvery(foldAll.getAttribute("aria-expanded") !== "true"));
foldEvery(findings.length <= MOST_OPEN);

// ---- games, event by event

function step(game, to) {
  const events = [...game.querySelectorAll(".events > li")];
  if (!events.length) return;
  const now = events.findIndex((event) => event.hasAttribute("aria-current"));
  const next = { first: 0, previous: Math.max(0, now - 1), next: Math.min(events.length - 1, now + 1),
    last: events.length - 1 }[to];
  events.forEach((event, at) => {
    if (at === next) event.setAttribute("aria-current", "step");
    else event.removeAttribute("aria-current");
  });
  game.querySelectorAll(".tables").forEach((each) => { each.hidden = Number(each.dataset.at) !== next; });
  if (next < events.length - MOST_EVENTS) whole(game);
  game.querySelector("output").value = `event ${next + 1} of ${events.length}`;
  settle(game);
}

// Of a long game only the last events are listed at first.
function whole(game) {
  game.classList.add("whole");
  const button = game.querySelector(".earlier");
  if (button) button.hidden = true;
}

// What matters is scrolled into sight inside its own box: the event, and what differs on the table.
function settle(game) {
  const boxes = [...game.querySelectorAll(".tables:not([hidden]) .position"), game.querySelector(".events")];
  boxes.forEach((box) => {
    const wanted = box.querySelector("mark, [aria-current]");
    box.scrollTop = wanted ? wanted.offsetTop - box.offsetTop - box.clientHeight / 3 : 0;
  });
}

const MOST_EVENTS = 12;
const KEYS = { ArrowRight: "next", ArrowLeft: "previous", Home: "first", End: "last", n: "next", p: "previous" };

for (const game of document.querySelectorAll(".game")) {
  game.addEventListener("click", (event) => {
    if (event.target.dataset.step) step(game, event.target.dataset.step);
    if (event.target.matches(".earlier")) { whole(game); settle(game); }
  });
  game.addEventListener("keydown", (event) => {
    const scrolls = event.target.closest("[tabindex]") !== game; // a part that scrolls by the same keys
    if (!KEYS[event.key] || (scrolls && event.key.length > 1) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    step(game, KEYS[event.key]);
  });
  step(game, "last");
  game.closest("details").addEventListener("toggle", () => settle(game));
}

// ---- keys of the page

function go(by) {
  const shown = [...document.querySelectorAll("tbody[data-kind]:not([hidden])")];
  const now = shown.findIndex((finding) => finding.contains(document.activeElement));
  const next = shown[Math.min(shown.length - 1, Math.max(0, now + by))];
  if (next) { next.querySelector("th").focus(); next.scrollIntoView({ block: "start" }); }
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select") || event.ctrlKey || event.altKey || event.metaKey) {
    if (event.key === "Escape" && event.target === form.q) { form.q.value = ""; update(); keep(); }
    return;
  }
  if (event.key === "/") { event.preventDefault(); form.q.focus(); }
  if (event.key === "j") go(1);
  if (event.key === "k") go(-1);
  const at = findings.find((finding) => finding.contains(document.activeElement));
  if (event.key === "o" && at) fold(at, at.classList.contains("closed"));
});

// ---- colours and paper

const theme = document.getElementById("theme");
const THEMES = { "": "as usual", light: "light", dark: "dark" };

function paint(name) {
  document.documentElement.dataset.theme = name;
  theme.textContent = `Colours: ${THEMES[name]}`;
  try { localStorage.setItem("ludex-theme", name); } catch { /* a browser may keep nothing of a file */ }
}

function painted() {
  try { return localStorage.getItem("ludex-theme") || ""; } catch { return ""; }
}

theme.addEventListener("click", () => {
  const names = Object.keys(THEMES);
  paint(names[(names.indexOf(document.documentElement.dataset.theme || "") + 1) % names.length]);
});
paint(painted());

window.addEventListener("beforeprint", () => {
  document.querySelectorAll(".witness details:not([open])").forEach((each) => { each.open = true; each.dataset.closed = ""; });
});
window.addEventListener("afterprint", () => {
  document.querySelectorAll("details[data-closed]").forEach((each) => { each.open = false; delete each.dataset.closed; });
});

// ---- the heads of the columns stay in sight, below the filters

function place() {
  const isFixed = getComputedStyle(form).position === "sticky";
  document.documentElement.style.setProperty("--above", `${isFixed ? form.offsetHeight - 3 : 0}px`);
}
new ResizeObserver(place).observe(form);
place();

restore();
