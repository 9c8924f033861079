"use strict";
// Finds, opens and decides rows. What is decided is kept in the browser, and downloaded as a file of rulings.

const data = JSON.parse(document.getElementById("data").textContent);
const said = data.said;
const rows = [...document.querySelectorAll(".row")];
const byId = (id) => document.getElementById(id);
document.documentElement.classList.add("scripted");

// ---- what is kept

const STORE = `ludex-rulings-${data.game}`;
const ENTERED = ["decision", "counts", "comment"];
const NOTHING = { decision: "", counts: "", comment: "" };
const entered = (ruling) => Object.fromEntries(ENTERED.map((name) => [name, (ruling && ruling[name]) || ""]));
const same = (one, other) => ENTERED.every((name) => entered(one)[name] === entered(other)[name]);
const isEmpty = (ruling) => same(ruling, NOTHING);

function load() {
  try { return JSON.parse(localStorage.getItem(STORE)) || {}; } catch { return {}; }
}

function save() {
  try { localStorage.setItem(STORE, JSON.stringify(kept)); } catch { byId("kept").textContent = byId("kept").dataset.not; }
}

// By row, what was written in this browser: its words, the mark of the row then, and what the file said then.
const kept = load();
const filed = new Map(data.rulings.map((ruling) => [ruling.row, ruling]));

// What holds of a row now: what was written here, unless the file has been changed since by somebody else.
function current(name) {
  const mine = kept[name], file = filed.get(name);
  if (!mine || (file && !same(file, mine.base) && !same(file, mine))) return file;
  return mine;
}

// ---- deciding

function show(row) {
  const ruling = current(row.dataset.name), form = row.querySelector(".decide");
  if (!form) return;
  ENTERED.forEach((name) => { form.elements[name].value = entered(ruling)[name]; });
  mark(row);
}

function mark(row) {
  const ruling = current(row.dataset.name), form = row.querySelector(".decide"), chip = row.querySelector(".state");
  const decided = Boolean(ruling && ruling.decision);
  row.dataset.state = !decided ? "undecided" : ruling.says === row.dataset.mark ? "decided" : "changed";
  chip.hidden = row.dataset.state !== "decided";
  chip.className = "chip state decided";
  chip.textContent = said.decided;
  form.querySelector(".counts").hidden = form.elements.decision.value !== "differ";
}

function decide(row) {
  const form = row.querySelector(".decide"), name = row.dataset.name;
  const now = Object.fromEntries(ENTERED.map((each) => [each, form.elements[each].value]));
  if (now.decision !== "differ") now.counts = "";
  kept[name] = { ...now, says: row.dataset.mark, base: entered(filed.get(name)) };
  if (isEmpty(now) && isEmpty(filed.get(name))) delete kept[name];
  save();
  mark(row);
  count();
}

for (const row of rows) {
  const form = row.querySelector(".decide");
  show(row);
  if (form) {
    form.addEventListener("input", () => decide(row));
    form.addEventListener("submit", (event) => event.preventDefault());
  }
}

// ---- the file of rulings

// A ruling with all that it took the place of: nothing that anybody wrote is left out.
function whole(name) {
  const file = filed.get(name), mine = kept[name], now = current(name);
  const before = [mine, file, ...((file && file.earlier) || [])].filter((each) => each && each !== now && !isEmpty(each));
  const earlier = before.filter((each, at) => !same(each, now) && before.findIndex((other) => same(other, each)) === at);
  return { row: name, says: now.says, ...entered(now), earlier };
}

const NO_CHARACTER = /[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu;
const quoted = (text) => JSON.stringify(text.replace(NO_CHARACTER, " "));

function lines(ruling) {
  return ["says", ...ENTERED].filter((name) => ruling[name] || name === "says" || name === "decision")
    .map((name) => `${name}: ${quoted(ruling[name] || "")}`);
}

function yaml() {
  const names = [...new Set([...filed.keys(), ...Object.keys(kept)])];
  const out = [...data.notes, `game: ${quoted(data.game)}`, names.length ? "rulings:" : "rulings: []"];
  for (const ruling of names.map(whole)) {
    out.push(`  - row: ${quoted(ruling.row)}`, ...lines(ruling).map((line) => `    ${line}`));
    if (ruling.earlier.length) out.push("    earlier:");
    for (const each of ruling.earlier) {
      const [first, ...others] = lines(each);
      out.push(`      - ${first}`, ...others.map((line) => `        ${line}`));
    }
  }
  return `${out.join("\n")}\n`;
}

if (byId("download")) byId("download").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([yaml()], { type: "text/yaml" }));
  link.download = "rulings.yaml";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});

// ---- finding

const folded = (text) => text.normalize("NFKC").toLocaleLowerCase();
const words = new Map(rows.map((row) => [row, folded(`${row.textContent} ${row.dataset.name}`)]));
const TESTS = {
  "all rows": () => true,
  new: (row) => "new" in row.dataset,
  undecided: (row) => row.dataset.state === "undecided" || row.dataset.state === "changed",
  decided: (row) => row.dataset.state === "decided",
  changed: (row) => row.dataset.state === "changed",
};

function filter() {
  const wanted = folded(byId("q").value).split(/\s+/).filter(Boolean), test = TESTS[byId("show") ? byId("show").value : "all rows"];
  rows.forEach((row) => { row.hidden = !test(row) || !wanted.every((word) => words.get(row).includes(word)); });
  const shown = (box) => [...box.querySelectorAll(".row")].some((row) => !row.hidden);
  document.querySelectorAll(".chapter, .rest").forEach((box) => { box.hidden = !shown(box); });
  if (wanted.length) document.querySelectorAll(".rest").forEach((box) => { box.open = shown(box); });
  byId("nothing").hidden = !rows.length || rows.some((row) => !row.hidden);
  count();
}

function count() {
  const open = rows.filter((row) => TESTS.undecided(row) && !row.closest(".rest")).length;
  const left = byId("download") ? `; ${said.undecided}: ${open}` : "";
  byId("count").value = `${rows.filter((row) => !row.hidden).length} / ${rows.length}${left}`;
}

byId("tools").addEventListener("input", filter);
byId("tools").addEventListener("submit", (event) => event.preventDefault());

// ---- opening

function openAll(open) {
  document.querySelectorAll(".more, .rest").forEach((each) => { each.open = open; });
  byId("fold").textContent = open ? said["close all"] : said["open all"];
  byId("fold").setAttribute("aria-expanded", open);
}

byId("fold").addEventListener("click", () => openAll(byId("fold").getAttribute("aria-expanded") !== "true"));

function reveal() {
  const wanted = location.hash && byId(decodeURIComponent(location.hash.slice(1)));
  for (let box = wanted; box; box = box.parentElement) if (box.matches("details")) box.open = true;
  if (wanted) wanted.scrollIntoView();
}
window.addEventListener("hashchange", reveal);

const paper = [];
window.addEventListener("beforeprint", () => {
  document.querySelectorAll("details:not([open])").forEach((each) => { each.open = true; paper.push(each); });
});
window.addEventListener("afterprint", () => { paper.splice(0).forEach((each) => { each.open = false; }); });

// ---- keys

function go(by) {
  const seen = rows.filter((row) => row.checkVisibility());
  const now = seen.findIndex((row) => row.contains(document.activeElement));
  const next = seen[Math.min(seen.length - 1, Math.max(0, now + by))];
  if (next) { next.querySelector("h3").focus(); next.scrollIntoView({ block: "nearest" }); }
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("input, select, textarea")) {
    if (event.key === "Escape" && event.target === byId("q")) { byId("q").value = ""; filter(); }
    return;
  }
  const row = document.activeElement && document.activeElement.closest(".row");
  if (event.key === "/") { event.preventDefault(); byId("q").focus(); }
  if (event.key === "j") go(1);
  if (event.key === "k") go(-1);
  if (event.key === "o" && row) row.querySelector(".more").open = !row.querySelector(".more").open;
});

filter();
reveal();
