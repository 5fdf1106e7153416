/* How figures are drawn: on the screen, as SVG and as PDF, by the same few strokes. */

const dark = matchMedia("(prefers-color-scheme: dark)");
const onScreen = (colour) => (!dark.matches ? colour : { "#000000": "#e5e8eb", "#0072B2": "#4aa8e0", "#8A8F94": "#9aa1a8" }[colour] ?? colour);
const cssColour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* A pen draws lines [[x, y], ...], areas, discs, boxes and words. style: stroke, width, dash, fill, alpha. */
class CanvasPen {
  constructor(context, scale) { this.c = context; this.s = scale; }
  colour(colour) { return onScreen(colour); }
  begin(style) {
    this.c.globalAlpha = style.alpha ?? 1;
    this.c.strokeStyle = style.stroke ? this.colour(style.stroke) : "transparent";
    this.c.fillStyle = style.fill ? this.colour(style.fill) : "transparent";
    this.c.lineWidth = (style.width ?? 1) * this.s;
    this.c.lineJoin = "round";
    this.c.setLineDash((style.dash ?? []).map((x) => x * this.s));
    this.c.beginPath();
  }
  trace(points) { points.forEach(([x, y], i) => (i ? this.c.lineTo(x * this.s, y * this.s) : this.c.moveTo(x * this.s, y * this.s))); }
  lines(all, style) { this.begin(style); all.forEach((points) => this.trace(points)); this.c.stroke(); }
  area(points, style) { this.begin(style); this.trace(points); this.c.fill(); }
  discs(points, r, style) {
    this.begin(style);
    for (const [x, y] of points) { this.c.moveTo((x + r) * this.s, y * this.s); this.c.arc(x * this.s, y * this.s, r * this.s, 0, 7); }
    this.c.fill();
  }
  boxes(all, style) { this.begin(style); for (const [x, y, w, h] of all) this.c.rect(x * this.s, y * this.s, w * this.s, h * this.s); this.c.fill(); }
  words(text, x, y, style) {
    this.begin({ fill: style.fill ?? "#5b6570" });
    this.c.font = `${(style.size ?? 12) * this.s}px system-ui, sans-serif`;
    this.c.textAlign = style.align ?? "left";
    this.c.fillText(text, x * this.s, y * this.s);
  }
  clip(x, y, w, h) { this.c.save(); this.c.beginPath(); this.c.rect(x * this.s, y * this.s, w * this.s, h * this.s); this.c.clip(); }
  unclip() { this.c.restore(); }
}

const xml = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const short = (x) => +x.toFixed(2);

class SvgPen {
  constructor(width, height) { this.size = [width, height]; this.out = []; this.clips = 0; }
  style({ stroke, width, dash, fill, alpha }) {
    return `fill="${fill ?? "none"}"` + (stroke ? ` stroke="${stroke}" stroke-width="${width ?? 1}" stroke-linejoin="round"` : "") +
      (dash ? ` stroke-dasharray="${dash}"` : "") + (alpha ? ` opacity="${alpha}"` : "");
  }
  trace(points) { return points.map(([x, y], i) => `${i ? "L" : "M"}${short(x)} ${short(y)}`).join(""); }
  lines(all, style) { this.out.push(`<path d="${all.map((p) => this.trace(p)).join("")}" ${this.style(style)}/>`); }
  area(points, style) { this.out.push(`<path d="${this.trace(points)}Z" ${this.style(style)}/>`); }
  discs(points, r, style) { this.out.push(`<g ${this.style(style)}>`, ...points.map(([x, y]) => `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}"/>`), "</g>"); }
  boxes(all, style) { this.out.push(`<path d="${all.map(([x, y, w, h]) => `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}Z`).join("")}" ${this.style(style)}/>`); }
  words(text, x, y, { size = 12, align = "left", turned = false, fill = "#202428" }) {
    const anchor = { left: "start", center: "middle", right: "end" }[align];
    this.out.push(`<text x="${short(x)}" y="${short(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"` +
      (turned ? ` transform="rotate(-90 ${short(x)} ${short(y)})"` : "") + `>${xml(text)}</text>`);
  }
  clip(x, y, w, h) {
    const id = `clip${++this.clips}`;
    this.out.push(`<clipPath id="${id}"><rect x="${short(x)}" y="${short(y)}" width="${short(w)}" height="${short(h)}"/></clipPath><g clip-path="url(#${id})">`);
  }
  unclip() { this.out.push("</g>"); }
  file() {
    const [w, h] = this.size;
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" font-family="'DejaVu Sans',Arial,sans-serif">` +
      `<rect width="${w}" height="${h}" fill="#fff"/>\n${this.out.join("\n")}\n</svg>\n`;
  }
}

/* One page of PDF 1.4; words in Helvetica, whose letters are those of Windows-1252. */
const letters = { "−": 0x2d, "–": 0x96, "—": 0x97, "’": 0x92, "‘": 0x91, "“": 0x93, "”": 0x94, "…": 0x85, "•": 0x95 };
class PdfPen {
  constructor(width, height) { this.size = [width, height]; this.out = ["0.75 0 0 -0.75 0 " + 0.75 * height + " cm"]; this.alphas = [1]; }
  rgb(colour) { return [1, 3, 5].map((i) => short(parseInt(colour.slice(i, i + 2), 16) / 255)).join(" "); }
  begin({ stroke, width, dash, fill, alpha = 1 }) {
    if (!this.alphas.includes(alpha)) this.alphas.push(alpha);
    this.out.push(`/A${this.alphas.indexOf(alpha)} gs 1 j [${dash ?? ""}] 0 d ${width ?? 1} w`);
    if (stroke) this.out.push(`${this.rgb(stroke)} RG`);
    if (fill) this.out.push(`${this.rgb(fill)} rg`);
  }
  trace(points) { this.out.push(points.map(([x, y], i) => `${short(x)} ${short(y)} ${i ? "l" : "m"}`).join("\n")); }
  lines(all, style) { this.begin(style); all.forEach((points) => this.trace(points)); this.out.push("S"); }
  area(points, style) { this.begin(style); this.trace(points); this.out.push("f"); }
  discs(points, r, style) {
    this.begin(style);
    const k = 0.5523 * r;
    for (const [x, y] of points)
      this.out.push([[x + r, y, "m"], [x + r, y + k, x + k, y + r, x, y + r, "c"], [x - k, y + r, x - r, y + k, x - r, y, "c"],
        [x - r, y - k, x - k, y - r, x, y - r, "c"], [x + k, y - r, x + r, y - k, x + r, y, "c"]]
        .map((part) => part.map((v) => (typeof v === "number" ? short(v) : v)).join(" ")).join(" ") + " f");
  }
  boxes(all, style) { this.begin(style); for (const box of all) this.out.push(box.map(short).join(" ") + " re"); this.out.push("f"); }
  words(text, x, y, { size = 12, align = "left", turned = false, fill = "#202428" }) {
    const measure = (PdfPen.canvas ??= document.createElement("canvas").getContext("2d"));
    measure.font = `${size}px Helvetica, Arial, sans-serif`;
    const shift = measure.measureText(text).width * { left: 0, center: 0.5, right: 1 }[align];
    const codes = [...String(text)].map((c) => letters[c] ?? (c.charCodeAt(0) < 256 && c.length === 1 ? c.charCodeAt(0) : 0x3f));
    const hex = codes.map((c) => c.toString(16).padStart(2, "0")).join("");
    const turn = turned ? `0 -1 -1 0 ${short(x)} ${short(y + shift)}` : `1 0 0 -1 ${short(x - shift)} ${short(y)}`;
    this.out.push(`/A0 gs ${this.rgb(fill)} rg BT /F ${size} Tf ${turn} Tm <${hex}> Tj ET`);
  }
  clip(x, y, w, h) { this.out.push(`q ${[x, y, w, h].map(short).join(" ")} re W n`); }
  unclip() { this.out.push("Q"); }
  file() {
    const stream = this.out.join("\n");
    const states = this.alphas.map((a, i) => `/A${i} << /ca ${a} /CA ${a} >>`).join(" ");
    const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${this.size.map((x) => short(0.75 * x)).join(" ")}] /Contents 4 0 R ` +
        `/Resources << /Font << /F 5 0 R >> /ExtGState << ${states} >> >> >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"];
    let text = "%PDF-1.4\n";
    const at = objects.map((object, i) => { const here = text.length; text += `${i + 1} 0 obj\n${object}\nendobj\n`; return here; });
    const table = text.length;
    text += `xref\n0 ${at.length + 1}\n0000000000 65535 f \n` + at.map((x) => `${String(x).padStart(10, "0")} 00000 n \n`).join("") +
      `trailer\n<< /Size ${at.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
    return text;
  }
}

/* --- curves. view: x and y give the place of a number, box is that of the plot --- */

/* Stretches of a curve without a gap, as indices. */
const stretches = (curve, view) => {
  const all = [];
  let now = null;
  for (let i = 0; i < curve.x.length; i++) {
    const fine = curve.x[i] !== null && curve.y[i] !== null && (!view.logx || curve.x[i] > 0) && (!view.logy || curve.y[i] > 0);
    if (!fine) now = null;
    else if (now) now.push(i);
    else all.push((now = [i]));
  }
  return all;
};

const paintBand = (pen, curve, view) => {
  for (const part of stretches(curve, view)) {
    const side = (sign) => part.map((i) => [view.x(curve.x[i]), view.y(curve.y[i] + sign * 2 * (curve.e[i] ?? 0))]);
    if (!view.logy) pen.area([...side(1), ...side(-1).reverse()], { fill: curve.colour, alpha: 0.22 });
  }
};

const paintSteps = (pen, curve, view, style) => {
  for (const part of stretches(curve, view)) {
    const x = part.map((i) => curve.x[i]), edge = x.map((v, k) => (k ? (x[k - 1] + v) / 2 : v - ((x[1] ?? v) - v) / 2));
    edge.push(x[x.length - 1] + (x[x.length - 1] - edge[x.length - 1]));
    pen.lines([part.flatMap((i, k) => [[view.x(edge[k]), view.y(curve.y[i])], [view.x(edge[k + 1]), view.y(curve.y[i])]])], style);
  }
};

const paintBars = (pen, curve, view) => {
  const x = curve.x.filter((v) => v !== null).sort((a, b) => a - b);
  const gap = 0.92 * Math.min(...x.slice(1).map((v, k) => v - x[k]).filter((d) => d > 0), x.length > 1 ? Infinity : 1);
  const zero = view.y(Math.max(0, view.low));
  const all = stretches(curve, view).flat().map((i) => {
    const left = view.x(curve.x[i] - gap / 2), top = view.y(curve.y[i]);
    return [left, Math.min(top, zero), view.x(curve.x[i] + gap / 2) - left, Math.abs(zero - top)];
  });
  pen.boxes(all, { fill: curve.colour, alpha: 0.45 });
};

const paintPoints = (pen, curve, view) => {
  const size = 3.2 * curve.width;
  const points = stretches(curve, view).flat();
  if (curve.e)
    pen.lines(points.filter((i) => curve.e[i]).map((i) => [1, -1].map((s) => [view.x(curve.x[i]), view.y(curve.y[i] + s * curve.e[i])])),
      { stroke: curve.colour, width: 1.3 });
  pen.discs(points.map((i) => [view.x(curve.x[i]), view.y(curve.y[i])]), size, { fill: curve.colour });
};

const paintCurve = (pen, curve, view) => {
  const dashed = curve.style === "dashes";
  const style = { stroke: curve.colour, width: (dashed ? 1.2 : 1.7) * curve.width, dash: dashed ? [6, 4] : undefined };
  if (curve.style === "points") paintPoints(pen, curve, view);
  else if (curve.style === "bars") paintBars(pen, curve, view);
  else if (curve.style === "steps") paintSteps(pen, curve, view, style);
  else pen.lines(stretches(curve, view).map((part) => part.map((i) => [view.x(curve.x[i]), view.y(curve.y[i])])), style);
};

const paintGuides = (pen, panel, view) => {
  const [left, top, width, height] = view.box;
  for (const { vertical, at: [at], label } of panel.guides) {
    const place = vertical ? view.x(at) : view.y(at);
    pen.lines([vertical ? [[place, top], [place, top + height]] : [[left, place], [left + width, place]]],
      { stroke: "#70787f", width: 1, dash: [2, 3] });
    if (label) pen.words(label, vertical ? place + 5 : left + width - 4, vertical ? top + 13 : place - 4, { size: 11, align: vertical ? "left" : "right", fill: "#70787f" });
  }
};

/* All that stands within the axes. */
const paintPanel = (pen, panel, view) => {
  pen.clip(...view.box);
  paintGuides(pen, panel, view);
  const shown = panel.curves.filter((curve) => !curve.off);
  shown.forEach((curve) => curve.e && curve.style === "line" && paintBand(pen, curve, view));
  shown.forEach((curve) => paintCurve(pen, curve, view));
  pen.unclip();
};
