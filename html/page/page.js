"use strict";
/* For every page: sorts and saves tables, saves files. Needs no other script. */

const make = (name, properties = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties))
    if (key in element && key !== "style") element[key] = value;
    else element.setAttribute(key, value);
  element.append(...children);
  return element;
};

const data = (id) => JSON.parse(document.getElementById(id).textContent);

/* Saves a file on the reader's machine. */
const save = (name, type, content) => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
};

const csvCell = (text) => (/[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);
const csv = (rows) => rows.map((row) => row.map((cell) => csvCell(String(cell ?? ""))).join(",") + "\n").join("");

/* --- tables: a click on a heading sorts --- */
const numberOf = (text) => {
  const found = text.replace("\u2212", "-").match(/^[<>≤≥~ ]*(-?\d+(\.\d*)?([eE][-+]?\d+)?)/);
  return found ? parseFloat(found[1]) : NaN;
};

const compareCells = (a, b) => {
  const x = numberOf(a), y = numberOf(b);
  if (!isNaN(x) && !isNaN(y) && x !== y) return x - y;
  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
};

for (const table of document.querySelectorAll(".table table")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = make("button", { type: "button", title: "Sort by this column" });
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const cell = (row) => row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => (up ? 1 : -1) * compareCells(cell(a), cell(b)));
      body.append(...rows);
    });
  });
  const saver = make("button", { type: "button", className: "save", textContent: "Table as CSV" });
  saver.addEventListener("click", () =>
    save(`${table.dataset.name}.csv`, "text/csv",
      csv([...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)))));
  table.parentNode.after(saver);
}

/* --- files in the page --- */
for (const link of document.querySelectorAll("a.file"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    save(link.download, "text/plain", data(link.dataset.of));
  });
