/* Figures: uPlot draws the panels without the words around them; draw.js converts the curves. */

/* Decimal places of a tick step: 0.25 has two. */
const decimals = (step) => {
  let n = 0;
  while (n < 12 && Math.abs(step * 10 ** n - Math.round(step * 10 ** n)) > 1e-6 * step * 10 ** n) n++;
  return n;
};
const plain = (v) => (v === 0 ? "0" : Math.abs(v) >= 1e6 || Math.abs(v) < 1e-4 ? v.toExponential(3) : String(+v.toPrecision(6)));
const tickWords = (u, splits, axis, space, step) => {
  const most = Math.max(...splits.map(Math.abs));
  return splits.map((v) => (most >= 1e6 || most < 1e-3 ? (v === 0 ? "0" : v.toExponential(Math.max(0, decimals(step / most) - 1)).replace(/\.?0+e/, "e")) : v.toFixed(decimals(step)).replace("-", "−")));
};
const logWords = (u, splits) => splits.map((v) => (v === null ? "" : Math.abs(v) >= 1e4 || Math.abs(v) < 1e-2 ? v.toExponential(0) : String(+v.toPrecision(3))));

/* Powers of ten; over few decades also 2 and 5 times these. */
const logSplits = (u, axis, low, high) => {
  const first = Math.floor(Math.log10(low)), last = Math.ceil(Math.log10(high)), steps = last - first > 3 ? [1] : [1, 2, 5];
  const every = Math.max(1, Math.ceil((last - first) / 8)), all = [];
  for (let k = Math.ceil(first / every) * every; k <= last; k += every) steps.forEach((s) => all.push(s * 10 ** k));
  return all.filter((v) => v >= low * 0.999 && v <= high * 1.001);
};

class Panel {
  constructor(figure, panel, index) {
    Object.assign(this, { figure, panel, index });
    this.place = make("div", { className: "plot-area" }, make("div", { className: "y-name", textContent: panel.ylabel ?? "" }));
    this.readout = make("div", { className: "readout" });
    this.root = make("div", { className: "panel", tabIndex: 0, role: "group" });
    this.root.setAttribute("aria-label", `${panel.title ?? panel.ylabel ?? "Panel"} against ${panel.xlabel ?? "x"}; arrows move, plus and minus zoom, 0 shows the whole`);
    if (panel.title) this.root.append(make("h4", { textContent: panel.title }));
    this.root.append(this.place, this.readout);
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.whole = { x: panel.xrange ?? this.extent("x"), y: null };
    if (this.whole.x[0] === this.whole.x[1]) this.whole.x = [this.whole.x[0] - 0.5, this.whole.x[1] + 0.5];
  }

  /* The range of the shown values; for y, of those within the range of x. */
  extent(axis, within) {
    const { panel } = this, log = axis === "x" ? panel.logx : panel.logy;
    let low = Infinity, high = -Infinity;
    const reach = (v) => { if (v !== null && v !== undefined && (!log || v > 0)) { low = Math.min(low, v); high = Math.max(high, v); } };
    for (const curve of panel.curves) {
      if (curve.off) continue;
      curve[axis].forEach((v, i) => {
        const x = curve.x[i];
        if (within && (x === null || x < within[0] || x > within[1])) return;
        reach(v);
        const reachError = axis === "y" && v !== null && curve.e?.[i] ? (curve.style === "points" ? 1 : 2) * curve.e[i] : 0;
        if (reachError) { reach(v + reachError); reach(v - reachError); }
      });
    }
    if (axis === "y") panel.guides.filter((g) => !g.vertical).forEach((g) => reach(g.at[0]));
    return low <= high ? [low, high] : log ? [1, 10] : [0, 1];
  }

  /* The range of y for a range of x. */
  rangeOfY(x) {
    const { panel } = this, all = x[0] <= this.whole.x[0] && x[1] >= this.whole.x[1];
    if (panel.equal) return this.equal(x);
    if (panel.yrange && all) return panel.yrange;
    const [low, high] = this.extent("y", x);
    if (panel.logy) return [low / 1.3, high * 1.3];
    const margin = 0.06 * (high - low) || 0.05 * Math.abs(high) || 0.5;
    return [low - margin, high + margin];
  }

  /* A range about the middle of the values in which a unit of y is as long as one of x. */
  equal(x) {
    const box = this.plot?.bbox, ratio = box ? box.height / box.width : 0.8;
    const [low, high] = this.panel.yrange ?? this.extent("y"), half = 0.5 * ratio * (x[1] - x[0]);
    return [0.5 * (low + high) - half, 0.5 * (low + high) + half];
  }

  /* The whole range of x; with equal units the shorter side is extended. */
  wholeX() {
    const [low, high] = this.whole.x;
    if (this.panel.equal) {
      const [bottom, top] = this.panel.yrange ?? this.extent("y"), box = this.plot?.bbox, ratio = box ? box.height / box.width : 0.8;
      const half = 0.53 * Math.max(high - low, (top - bottom) / ratio, 1e-12);
      return [0.5 * (low + high) - half, 0.5 * (low + high) + half];
    }
    if (this.panel.logx) return [low / 1.15, high * 1.15];
    if (this.panel.xrange) return [low, high];
    const margin = 0.02 * (high - low);
    return [low - margin, high + margin];
  }

  height(width) {
    const n = this.figure.panels.length, columns = this.figure.columns();
    if (this.panel.equal) return 0.86 * width;
    if (columns > 1) return Math.max(200, 0.72 * width);
    return Math.max(n > 3 && width > 500 ? 150 : 190, Math.min(n === 1 ? 430 : 300, (n === 1 ? 0.54 : n > 3 ? 0.26 : 0.36) * width));
  }

  draw() {
    const { panel } = this, width = Math.max(220, this.place.clientWidth), x = this.wholeX();
    const axis = (label, log, size) => ({
      stroke: () => cssColour("--soft"), grid: { stroke: () => cssColour("--grid"), width: 1 }, ticks: { stroke: () => cssColour("--line"), width: 1, size: 5 }, border: { show: true, stroke: () => cssColour("--line"), width: 1 },
      label, labelSize: label ? 22 : 0, labelGap: 2, size, font: "12px system-ui, sans-serif", labelFont: "12.5px system-ui, sans-serif",
      values: log ? logWords : tickWords, ...(log ? { splits: logSplits, filter: (u, all) => all } : {}),
    });
    const letters = (values) => 14 + 7.2 * Math.max(0, ...(values ?? []).map((v) => String(v).length));
    const widest = (u, values) => (this.figure.widest = Math.max(this.figure.widest, letters(values))); // of all panels, so that they are aligned
    const { series, bands, data } = seriesOfPanel(panel);
    this.plot?.destroy();
    this.plot = new uPlot({
      mode: 2, width, height: Math.round(this.height(width)), legend: { show: false }, padding: [8, 16, 0, 0], series, bands,
      scales: { x: { time: false, distr: panel.logx ? 3 : 1, range: () => x },
        y: { distr: panel.logy ? 3 : 1, range: (u) => this.rangeOfY(this.nextX ?? (u.scales.x.min === null ? x : [u.scales.x.min, u.scales.x.max])) } },
      axes: [axis(panel.xlabel, panel.logx, 34), axis(undefined, panel.logy, widest)],
      cursor: { drag: { x: true, y: true, uni: 24, setScale: false }, points: { show: false }, bind: { dblclick: () => () => { this.figure.reset(); return null; } } },
      hooks: { drawAxes: [(u) => drawGuides(u, panel.guides)], setCursor: [(u) => this.say(u)], setSelect: [(u) => this.selected(u)] },
    }, data, this.place);
    if (panel.equal) this.show(this.wholeX(), null);
  }

  /* Sets the ranges of x and y; y null: the range for x. */
  show(x, y) {
    if (!(x[1] > x[0])) return;
    this.nextX = x;
    this.plot.batch(() => {
      this.plot.setScale("x", { min: x[0], max: x[1] });
      const range = y ?? this.rangeOfY(x);
      this.plot.setScale("y", { min: range[0], max: range[1] });
    });
    this.nextX = null;
    this.root.dataset.x = x.map(plain).join(" ");
  }

  selected(u) {
    const { left, top, width, height } = u.select;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    const bbox = { width: u.bbox.width / uPlot.pxRatio, height: u.bbox.height / uPlot.pxRatio };
    if (width < 3 && height < 3) return;
    const x = [u.posToVal(left, "x"), u.posToVal(left + width, "x")], y = [u.posToVal(top + height, "y"), u.posToVal(top, "y")];
    const wide = width >= bbox.width - 1, tall = height >= bbox.height - 1;
    this.figure.zoom(this, wide ? [u.scales.x.min, u.scales.x.max] : x, tall ? null : y);
  }

  /* Zooms by a factor about the middle, or moves by a fraction of the width. */
  scaleX(factor, shift = 0) {
    const { min, max } = this.plot.scales.x, to = this.panel.logx ? Math.log : (v) => v, back = this.panel.logx ? Math.exp : (v) => v;
    const middle = 0.5 * (to(min) + to(max)), half = 0.5 * factor * (to(max) - to(min));
    this.figure.zoom(this, [middle - half + 2 * shift * half, middle + half + 2 * shift * half].map(back), null);
  }

  key(event) {
    const act = { "+": () => this.scaleX(0.6), "=": () => this.scaleX(0.6), "-": () => this.scaleX(1 / 0.6), ArrowLeft: () => this.scaleX(1, -0.2),
      ArrowRight: () => this.scaleX(1, 0.2), 0: () => this.figure.reset() }[event.key];
    if (!act || event.target !== this.root || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    act();
  }

  /* The point of a curve nearest to the pointer: in x, or in the plane if the curve turns back in x. */
  pointed(u, curve, left, top) {
    let best = null, least = Infinity, before = false, behind = false;
    for (let i = 0; i < curve.x.length; i++) {
      if (curve.x[i] === null || curve.y[i] === null) continue;
      const dx = u.valToPos(curve.x[i], "x") - left, dy = curve.forward ? 0 : u.valToPos(curve.y[i], "y") - top, d = dx * dx + dy * dy;
      before ||= dx <= 0;
      behind ||= dx >= 0;
      if (d < least) { least = d; best = i; }
    }
    return (curve.forward && before && behind) || least < 600 ? best : null;
  }

  /* Writes the pointer's position and the values of all curves there. */
  say(u) {
    const { left, top } = u.cursor, values = [];
    this.readout.replaceChildren();
    if (left === undefined || left < 0) return;
    const at = u.posToVal(left, "x"), { curves } = this.panel;
    curves.forEach((curve, c) => {
      const i = curve.off ? null : this.pointed(u, curve, left, top);
      if (i === null) return;
      const label = curve.label ?? (this.figure.shared ? this.figure.json.panels[0].curves[c].label : null);
      const error = curve.e?.[i] ? ` ± ${plain(curve.e[i])}` : "";
      values.push({ x: curve.x[i], curve, words: `${label ? `${label}: ` : ""}${plain(curve.y[i])}${error}` });
    });
    if (!values.length) return;
    const name = (x) => `x = ${plain(x)}`;
    const x = values.reduce((a, b) => (Math.abs(b.x - at) < Math.abs(a.x - at) ? b : a)).x;
    this.readout.append(make("span", { textContent: name(x) }), ...values.map((v) =>
      make("span", { className: "value" }, sample(v.curve), v.words + (v.x === x ? "" : ` at ${name(v.x)}`))));
  }

  /* Shows or hides a curve without moving the others. */
  toggle(c, off) {
    const { min, max } = this.plot.scales.x;
    this.panel.curves[c].off = off;
    this.plot.batch(() => {
      this.plot.series.forEach((s, k) => s.number === c && this.plot.setSeries(k, { show: !off }));
      this.show([min, max], null);
    });
  }
}

const sample = (curve) => {
  const colour = onScreen(curve);
  const inner = curve.style === "points" ? `<circle cx="11" cy="6" r="4" fill="${colour}"/>`
    : `<path d="M1 6h20" stroke="${colour}" stroke-width="2.4"${curve.style === "dashes" ? ' stroke-dasharray="6 4"' : ""}/>`;
  const holder = document.createElement("span");
  holder.innerHTML = `<svg viewBox="0 0 22 12" aria-hidden="true">${inner}</svg>`;
  return holder.firstChild;
};

class Figure {
  constructor(place) {
    const json = data(place.dataset.of);
    this.json = json;
    this.name = place.closest("figure").dataset.name;
    this.grid = make("div", { className: "panels" });
    this.panels = json.panels.map((panel, i) => new Panel(this, panel, i));
    const labelled = (p) => p.curves.some((c) => c.label), [first, ...others] = json.panels;
    this.shared = others.length > 0 && labelled(first) && others.every((p) => !labelled(p) && p.curves.length === first.curves.length);
    place.append(this.tools());
    if (this.shared) place.append(this.legend(first, this.panels));
    for (const panel of this.panels) {
      if (!this.shared && labelled(panel.panel)) panel.place.before(this.legend(panel.panel, [panel]));
      this.grid.append(panel.root);
    }
    place.append(this.grid);
    this.redraw();
    new ResizeObserver(() => { const width = this.grid.clientWidth; if (Math.abs(width - this.width) > 2) this.redraw(); }).observe(this.grid);
    dark.addEventListener("change", () => { this.relabel?.(); this.redraw(); });
    addEventListener("beforeprint", () => this.redraw());
  }

  columns() { return matchMedia("(max-width: 46rem)").matches ? 1 : Math.min(this.json.columns, this.panels.length); }

  redraw() {
    this.width = this.grid.clientWidth;
    this.grid.style.gridTemplateColumns = `repeat(${this.columns()}, minmax(0, 1fr))`;
    this.widest = 40;
    this.panels.forEach((panel) => panel.draw());
    if (this.columns() === 1 && this.panels.length > 1) this.panels.forEach((panel) => panel.draw());
  }

  tools() {
    const button = (words, title, act) => {
      const b = make("button", { type: "button", textContent: words, title });
      b.setAttribute("aria-label", title);
      b.addEventListener("click", act);
      return b;
    };
    return make("div", { className: "tools" },
      button("+", "Zoom in", () => this.panels.forEach((p) => p.index === 0 && p.scaleX(0.6))), button("−", "Zoom out", () => this.panels.forEach((p) => p.index === 0 && p.scaleX(1 / 0.6))),
      button("Whole", "Show the whole figure", () => this.reset()), make("span", { className: "gap" }),
      button("SVG", "Save this figure as SVG", () => this.file("svg", "image/svg+xml", svgFile)), button("PDF", "Save this figure as PDF", () => this.file("pdf", "application/pdf", pdfFile)),
      button("CSV", "Save the numbers of this figure as CSV", () => this.csv()));
  }

  legend(of, panels) {
    const place = make("div", { className: "legend", role: "group" });
    place.setAttribute("aria-label", "Curves, on or off");
    const fill = () => place.replaceChildren(...of.curves.flatMap((curve, c) => {
      if (!curve.label) return [];
      const b = make("button", { type: "button" }, sample(curve), curve.label);
      b.setAttribute("aria-pressed", String(!curve.off));
      b.addEventListener("click", () => {
        const off = !curve.off;
        b.setAttribute("aria-pressed", String(!off));
        for (const p of panels) {
          const next = p.panel.curves[c + 1];
          p.toggle(c, off);
          if (next && !next.label && next.style === "dashes") p.toggle(c + 1, off);
        }
      });
      return [b];
    }));
    fill();
    dark.addEventListener("change", fill);
    return place;
  }

  /* Panels with the same x move together. */
  zoom(from, x, y) {
    const same = (p) => p.panel.xlabel === from.panel.xlabel && p.panel.logx === from.panel.logx && String(p.whole.x) === String(from.whole.x);
    this.panels.forEach((p) => { if (p === from) p.show(x, y); else if (same(p) && !p.panel.equal) p.show(x, null); });
  }

  reset() { this.panels.forEach((p) => p.show(p.wholeX(), null)); }

  file(suffix, type, write) {
    const columns = this.columns(), edge = 12, width = this.grid.clientWidth + 2 * edge, marks = [], panels = this.panels.filter((p, i) => i === 0 || !this.shared);
    const ink = { clips: [], colour: rgba("#202428") }, labels = panels.flatMap((p) => p.panel.curves.filter((c) => c.label && !c.off));
    labels.forEach((curve, k) => {
      const x = 20 + (k % 3) * ((width - 40) / 3), y = 20 + 20 * Math.floor(k / 3), colour = rgba(curve.colour);
      marks.push(curve.style === "points" ? { ...ink, kind: "fill", path: [["arc", x + 10, y - 4, 4]], colour }
        : { ...ink, kind: "stroke", path: [["moveTo", x, y - 4], ["lineTo", x + 22, y - 4]], colour, width: 2.4, dash: curve.style === "dashes" ? [6, 4] : [] });
      marks.push({ ...ink, kind: "words", text: curve.label, at: [x + 28, y], size: 12 });
    });
    let top = 14 + 20 * Math.ceil(labels.length / 3);
    for (let first = 0; first < this.panels.length; first += columns) {
      const row = this.panels.slice(first, first + columns);
      top += row.some((p) => p.panel.title) ? 42 : 24;
      row.forEach((p) => {
        const left = edge + p.root.offsetLeft - this.grid.offsetLeft;
        marks.push(...marksOf(p.plot, left, top));
        if (p.panel.ylabel) marks.push({ ...ink, kind: "words", text: p.panel.ylabel, at: [left, top], size: 12.5 });
        if (p.panel.title) marks.push({ ...ink, kind: "words", text: p.panel.title, at: [left + p.plot.width / 2, top - 20], size: 13, align: "center" });
      });
      top += Math.max(...row.map((p) => p.plot.height)) + 8;
    }
    save(`${this.name}.${suffix}`, type, write(marks, width, top));
  }

  csv() {
    const rows = [["panel", "curve", "x", "y", "error"]];
    this.panels.forEach(({ panel }, i) => panel.curves.forEach((curve, c) => {
      if (!curve.off) curve.x.forEach((x, k) => rows.push([panel.title ?? panel.ylabel ?? i + 1, curve.label ?? c + 1, x, curve.y[k], curve.e?.[k]]));
    }));
    save(`${this.name}.csv`, "text/csv", csv(rows));
  }
}

const figures = [...document.querySelectorAll(".plot")].map((place) => new Figure(place));
