/* Shows moving molecules with 3Dmol.js. */

const styles = {
  "Balls and sticks": { stick: { radius: 0.11 }, sphere: { scale: 0.26 } },
  Spheres: { sphere: { scale: 0.9 } },
  Lines: { line: { linewidth: 2 } },
};

/* Hydrogen bonds O-H...O, also with N: largest distance H...O (angstrom), smallest angle at H (degrees). */
const BOND = { far: 2.5, angle: 130, most: 6000 };

/* The rows of a box from nine numbers or three lengths; none without a box. */
const edgesOf = (box) => (box.length === 9 ? [0, 3, 6].map((k) => box.slice(k, k + 3)) : box.map((length, d) => [0, 1, 2].map((e) => (e === d ? length : 0))));

/* Pairs [hydrogen, other end of its hydrogen bond], to the nearest image in a box; not to the hydrogen's own atom. */
const hydrogenBonds = (symbols, x, box) => {
  const edges = edgesOf(box).reverse();
  const from = (i, j) => edges.reduce((r, edge, k) => { /* c, then b, then a: exact for short vectors */
    const whole = Math.round(r[2 - k] / edge[2 - k]) || 0;
    return r.map((v, d) => v - whole * edge[d]);
  }, [0, 1, 2].map((d) => (x[3 * j + d] - x[3 * i + d]) / 100));
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2], cosine = Math.cos((BOND.angle * Math.PI) / 180);
  const heavy = symbols.flatMap((s, i) => (s === "O" || s === "N" ? [i] : [])), bonds = [];
  symbols.forEach((symbol, h) => {
    if (symbol !== "H") return;
    const near = heavy.map((i) => from(h, i)).map((r) => [r, Math.sqrt(dot(r, r))]).filter(([, r]) => r < BOND.far);
    const own = near.find(([, r]) => r < 1.25);
    if (!own) return;
    for (const [to, r] of near)
      if (r > 1.4 && dot(to, own[0]) < cosine * r * own[1]) bonds.push([h, to.map((v, d) => x[3 * h + d] / 100 + v)]);
  });
  return bonds;
};

class Movie {
  constructor(root) {
    this.json = data(root.dataset.of);
    this.frame = 0;
    this.view = make("div", { className: "view", tabIndex: 0, role: "img" });
    this.view.setAttribute("aria-label", root.getAttribute("aria-label"));
    root.prepend(this.tools(), this.view);
    try {
      this.viewer = $3Dmol.createViewer(this.view, { backgroundColor: cssColour("--card"), disableFog: true });
    } catch (error) {
      this.viewer = null;
    }
    if (!this.viewer) {
      this.view.replaceWith(make("p", { textContent: "This browser has no WebGL: the molecules cannot be shown." }));
      this.bar.remove();
      return;
    }
    this.viewer.addModelsAsFrames(this.xyz(), "xyz");
    this.style(Object.keys(styles)[this.json.symbols.length > 6000 ? 2 : 0]);
    this.shapes();
    this.viewer.zoomTo();
    this.viewer.rotate(12, "y");
    this.viewer.rotate(12, "x");
    this.viewer.render();
    this.say();
    root.movie = this;
    dark.addEventListener("change", () => { this.viewer.setBackgroundColor(cssColour("--card")); this.shapes(); this.viewer.render(); });
    new ResizeObserver(() => this.viewer.resize()).observe(this.view);
    new IntersectionObserver((seen) => { if (this.timer && !seen[0].isIntersecting) this.play(false); }).observe(this.view);
  }

  xyz() {
    const { symbols, frames } = this.json;
    return frames.map((x) => `${symbols.length}\n\n` + symbols.map((s, i) => `${s} ${x[3 * i] / 100} ${x[3 * i + 1] / 100} ${x[3 * i + 2] / 100}\n`).join("")).join("");
  }

  style(name) {
    this.viewer.setStyle({}, styles[name]);
    this.select.value = name;
    this.viewer.render();
  }

  shapes() {
    this.viewer.removeAllShapes();
    this.box();
    this.bonds = this.bonded?.checked ? hydrogenBonds(this.json.symbols, this.json.frames[this.frame], this.json.box) : [];
    const point = ([x, y, z]) => ({ x, y, z }), x = this.json.frames[this.frame];
    for (const [h, end] of this.bonds)
      this.viewer.addLine({ start: point([0, 1, 2].map((d) => x[3 * h + d] / 100)), end: point(end), dashed: true, dashLength: 0.15, gapLength: 0.12, color: cssColour("--link") });
  }

  box() {
    const edges = edgesOf(this.json.box);
    if (!edges.length) return;
    const corner = (k) => Object.fromEntries(["x", "y", "z"].map((name, d) => [name, edges.reduce((sum, edge, e) => sum + (k & (1 << e) ? edge[d] : 0), 0)]));
    for (let k = 0; k < 8; k++)
      for (const bit of [1, 2, 4]) if (!(k & bit)) this.viewer.addLine({ start: corner(k), end: corner(k | bit), color: cssColour("--soft") });
  }

  tools() {
    const n = this.json.frames.length;
    this.select = make("select", { title: "How atoms are shown" }, ...Object.keys(styles).map((name) => make("option", { textContent: name })));
    this.select.setAttribute("aria-label", "How atoms are shown");
    this.select.addEventListener("change", () => this.style(this.select.value));
    this.button = make("button", { type: "button", textContent: "Play" });
    this.button.addEventListener("click", () => this.play(!this.timer));
    this.slider = make("input", { type: "range", min: 0, max: n - 1, value: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Frame");
    this.slider.addEventListener("input", () => { this.play(false); this.show(+this.slider.value); });
    this.words = make("output");
    this.speed = make("select", { title: "Frames a second" }, ...[5, 10, 20, 40].map((v) => make("option", { value: v, textContent: `${v}/s` })));
    this.speed.setAttribute("aria-label", "Frames a second");
    this.speed.value = n > 100 ? 20 : 10;
    this.speed.addEventListener("change", () => { if (this.timer) { this.play(false); this.play(true); } });
    const whole = make("button", { type: "button", textContent: "Whole", title: "Show all molecules" });
    whole.addEventListener("click", () => { this.viewer.zoomTo(); this.viewer.render(); });
    const may = this.json.symbols.length <= BOND.most && this.json.symbols.includes("H");
    this.bonded = may ? make("input", { type: "checkbox", checked: true }) : null;
    this.bonded?.addEventListener("change", () => { this.shapes(); this.viewer.render(); });
    const bonds = may ? [make("label", { title: `H...O or N below ${BOND.far} angstrom, angle above ${BOND.angle} degrees` }, this.bonded, " Hydrogen bonds")] : [];
    const moving = n > 1 ? [this.button, this.slider, this.words, this.speed] : [this.words];
    return (this.bar = make("div", { className: "tools" }, ...moving, make("span", { className: "gap" }), ...bonds, this.select, whole));
  }

  play(on) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => this.show((this.frame + 1) % this.json.frames.length), 1000 / this.speed.value) : 0;
    this.button.textContent = on ? "Pause" : "Play";
  }

  say() {
    const { time, replica, frames } = this.json, t = time[this.frame], r = replica[this.frame], several = new Set(replica).size > 1;
    this.words.textContent = several ? `replica ${r}` : t === null ? `frame ${this.frame + 1} of ${frames.length}` : `${+t.toPrecision(5)} ps`;
  }

  show(frame) {
    this.frame = frame;
    this.slider.value = frame;
    this.say();
    return this.viewer.setFrame(frame).then(() => { this.shapes(); this.viewer.render(); });
  }
}

const movies = [...document.querySelectorAll("figure.molecules")].map((root) => new Movie(root));
