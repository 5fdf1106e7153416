/* Molecules that move, by 3Dmol.js. */

const styles = {
  "Balls and sticks": { stick: { radius: 0.11 }, sphere: { scale: 0.26 } },
  Spheres: { sphere: { scale: 0.9 } },
  Lines: { line: { linewidth: 2 } },
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
    this.box();
    this.viewer.zoomTo();
    this.viewer.rotate(12, "y");
    this.viewer.rotate(12, "x");
    this.viewer.render();
    this.say();
    root.movie = this;
    dark.addEventListener("change", () => { this.viewer.setBackgroundColor(cssColour("--card")); this.box(); this.viewer.render(); });
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

  box() {
    this.viewer.removeAllShapes();
    const [a, b, c] = this.json.box;
    if (!a) return;
    const corner = (k) => ({ x: k & 1 ? a : 0, y: k & 2 ? b : 0, z: k & 4 ? c : 0 });
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
    const moving = n > 1 ? [this.button, this.slider, this.words, this.speed] : [this.words];
    return (this.bar = make("div", { className: "tools" }, ...moving, make("span", { className: "gap" }), this.select, whole));
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
    return this.viewer.setFrame(frame).then(() => this.viewer.render());
  }
}

const movies = [...document.querySelectorAll("figure.molecules")].map((root) => new Movie(root));
