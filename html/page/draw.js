/* Converts curves to series of uPlot, and uPlot's drawing to SVG and PDF. */

const dark = matchMedia("(prefers-color-scheme: dark)");
let onPaper = false; // while a file is written
const inDark = { "#000000": "#e5e8eb", "#0072B2": "#4aa8e0", "#8A8F94": "#9aa1a8" };
const inFiles = { "--soft": "#202428", "--grid": "#e4e6e8", "--line": "#404448" };
const onScreen = (curve) => (dark.matches && !onPaper ? curve.dark ?? inDark[curve.colour] ?? curve.colour : curve.colour);
const cssColour = (name) => (onPaper && inFiles[name]) || getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/* --- curves --- */

/* Lines through points in any order (paths in the plane, error bars); uPlot's own lines require increasing x. */
const polyline = (u, k) => {
  const path = new Path2D(), [x, y] = u.data[k];
  x.forEach((v, i) => { if (y[i] !== null) path[i && y[i - 1] !== null ? "lineTo" : "moveTo"](u.valToPos(v, "x", true), u.valToPos(y[i], "y", true)); });
  return { stroke: path };
};

/* The series of a curve with their data, and the two edges of its band, if any. */
const seriesOf = (curve, number, { logx, logy }) => {
  const { x, style } = curve, place = (v, i, log) => (v === null || x[i] === null || (logx && x[i] <= 0) || (log && v <= 0) ? null : v);
  const y = curve.y.map((v, i) => place(v, i, logy)), side = (far) => y.map((v, i) => v === null ? null : place(v + far * (curve.e[i] ?? 0), i, logy));
  const one = (data, options) => ({ data, number, show: !curve.off, auto: false, pxAlign: 0, facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }], points: { show: false }, ...options });
  const line = (data, width, options) => one(data, { stroke: () => onScreen(curve), width, ...options });
  curve.forward ??= x.every((v, i) => i === 0 || v === null || x[i - 1] === null || v >= x[i - 1]);
  if (style === "points") {
    const bars = curve.e ? [line([x.flatMap((v) => [v, v, v]), side(1).flatMap((v, i) => [v, side(-1)[i], null])], 1.3, { paths: polyline })] : [];
    return { bands: [], curves: [...bars, one([x, y], { width: 0, fill: () => onScreen(curve), paths: uPlot.paths.points(), points: { show: false, size: 6.4 * curve.width, width: 0 } })] };
  }
  return {
    bands: style === "line" && curve.e ? [one([x, side(2)], { width: 0 }), one([x, side(-2)], { width: 0 })] : [],
    curves: [line([x, y], (style === "dashes" ? 1.2 : 1.7) * curve.width, { dash: style === "dashes" ? [6, 4] : undefined, ...(curve.forward ? {} : { paths: polyline }) })],
  };
};

/* All series of a panel, with bands below the curves. */
const seriesOfPanel = (panel) => {
  const parts = panel.curves.map((curve, c) => seriesOf(curve, c, panel)), edges = parts.flatMap((p) => p.bands);
  const series = [...edges, ...parts.flatMap((p) => p.curves)];
  const bands = edges.flatMap(({ number }, k) => (k % 2 ? [] : [{ series: [k + 1, k + 2], fill: () => `${onScreen(panel.curves[number])}38` }]));
  return { series: [{}, ...series], bands, data: [null, ...series.map((s) => s.data)] };
};

const drawGuides = (u, guides) => {
  const c = u.ctx, s = uPlot.pxRatio, { left, top, width, height } = u.bbox;
  c.save();
  for (const { vertical, at: [at], label } of guides) {
    const p = u.valToPos(at, vertical ? "x" : "y", true);
    if (vertical ? p < left || p > left + width : p < top || p > top + height) continue;
    Object.assign(c, { strokeStyle: "#70787f", fillStyle: "#70787f", lineWidth: s, font: `${11 * s}px system-ui, sans-serif`, textAlign: vertical ? "left" : "right", textBaseline: "bottom" });
    c.setLineDash([2 * s, 3 * s]);
    c.beginPath();
    c.moveTo(...(vertical ? [p, top] : [left, p]));
    c.lineTo(...(vertical ? [p, top + height] : [left + width, p]));
    c.stroke();
    if (label) c.fillText(label, vertical ? p + 5 * s : left + width - 4 * s, vertical ? top + 15 * s : p - 2 * s);
  }
  c.restore();
};

/* --- files: records what uPlot strokes, fills and writes --- */

/* A path that records its parts. uPlot creates all its paths by this name. */
Path2D = class extends Path2D {
  constructor(from) { super(from); this.steps = [...(from?.steps ?? [])]; }
  keep(name, numbers) { super[name](...numbers); if (numbers.every(isFinite)) this.steps.push([name, ...numbers]); }
  moveTo(...at) { this.keep("moveTo", at); }
  lineTo(...at) { this.keep("lineTo", at); }
  rect(...at) { this.keep("rect", at); }
  arc(...at) { this.keep("arc", at); }
};

/* Parses a canvas colour, "#rrggbb" or "rgba(r, g, b, a)": red, green, blue from 0 to 1, opacity. */
const rgba = (colour) => {
  const [r, g, b, a = 1] = colour[0] === "#" ? [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16)) : colour.match(/[\d.]+/g).map(Number);
  return { rgb: [r / 255, g / 255, b / 255], a };
};

/* The strokes, fills and words of a plot, in points of a sheet, with the plot's corner at left, top. */
const marksOf = (u, left, top) => {
  const c = u.ctx, s = uPlot.pxRatio, plain = CanvasRenderingContext2D.prototype, marks = [], saved = [];
  let path, clips = [];
  const point = (x, y) => { const { a, b, c: k, d, e, f } = c.getTransform(); return [left + (a * x + k * y + e) / s, top + (b * x + d * y + f) / s]; };
  const placed = ({ steps }) => steps.map(([name, x, y, ...size], i) => [name === "lineTo" && !i ? "moveTo" : name, ...point(x, y), ...size.map((v) => v / s)]);
  const mark = (kind, of) => of.steps.length && marks.push({ kind, path: placed(of), clips, colour: rgba(kind === "fill" ? c.fillStyle : c.strokeStyle), width: c.lineWidth / s, dash: c.getLineDash().map((v) => v / s) });
  const kept = {
    save() { saved.push(clips); plain.save.call(c); },
    restore() { clips = saved.pop(); plain.restore.call(c); },
    clip(of) { clips = [...clips, placed(of)]; },
    beginPath() { path = new Path2D(); },
    moveTo(...at) { path.moveTo(...at); },
    lineTo(...at) { path.lineTo(...at); },
    stroke(of = path) { mark("stroke", of); },
    fill(of = path) { mark("fill", of); },
    fillText(text, x, y) {
      const size = parseFloat(c.font) / s, down = { top: 0.8, middle: 0.35, bottom: -0.2 }[c.textBaseline] ?? 0;
      marks.push({ kind: "words", text, at: point(x, y + down * size * s), size, align: c.textAlign, turned: c.getTransform().b !== 0, clips, colour: rgba(c.fillStyle) });
    },
  };
  Object.assign(c, kept);
  onPaper = true;
  u.batch(() => u.redraw(false));
  onPaper = false;
  Object.keys(kept).forEach((name) => delete c[name]);
  u.redraw(false);
  return marks;
};

const short = (x) => +x.toFixed(2);
const xml = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

const svgFile = (marks, width, height) => {
  const clipped = new Map();
  const trace = (path) => path.map(([name, x, y, w, h]) => name === "rect" ? `M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}Z`
    : name === "arc" ? `M${short(x - w)} ${short(y)}a${short(w)} ${short(w)} 0 1 0 ${short(2 * w)} 0a${short(w)} ${short(w)} 0 1 0 ${short(-2 * w)} 0Z`
      : `${name === "moveTo" ? "M" : "L"}${short(x)} ${short(y)}`).join("");
  const clip = (path) => { const d = trace(path); if (!clipped.has(d)) clipped.set(d, `clip${clipped.size}`); return `<g clip-path="url(#${clipped.get(d)})">`; };
  const paint = ({ rgb, a }, what) => `${what}="rgb(${rgb.map((v) => Math.round(255 * v))})"${a < 1 ? ` ${what}-opacity="${short(a)}"` : ""}`;
  const draw = { stroke: (m) => `<path d="${trace(m.path)}" fill="none" ${paint(m.colour, "stroke")} stroke-width="${short(m.width)}" stroke-linejoin="round"${m.dash.length ? ` stroke-dasharray="${m.dash}"` : ""}/>`,
    fill: (m) => `<path d="${trace(m.path)}" ${paint(m.colour, "fill")}/>`,
    words: ({ text, at: [x, y], size, align, turned, colour }) => `<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}" text-anchor="${{ center: "middle", right: "end" }[align] ?? "start"}" ${paint(colour, "fill")}` +
      `${turned ? ` transform="rotate(-90 ${short(x)} ${short(y)})"` : ""}>${xml(text)}</text>` };
  const body = marks.map((m) => m.clips.map(clip).join("") + draw[m.kind](m) + "</g>".repeat(m.clips.length)).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="'DejaVu Sans',Arial,sans-serif">` +
    `<defs>${[...clipped].map(([d, id]) => `<clipPath id="${id}"><path d="${d}"/></clipPath>`).join("")}</defs>` +
    `<rect width="${width}" height="${height}" fill="#fff"/>\n${body}\n</svg>\n`;
};

/* One page of PDF 1.4; words in Helvetica with the characters of Windows-1252. */
const letters = { "−": 0x2d, "–": 0x96, "—": 0x97, "’": 0x92, "‘": 0x91, "“": 0x93, "”": 0x94, "…": 0x85, "•": 0x95 };
const pdfFile = (marks, width, height) => {
  const alphas = [], numbers = (...all) => all.map(short).join(" "), measure = document.createElement("canvas").getContext("2d");
  const circle = (x, y, r) => {
    const k = 0.5523 * r;
    return `${numbers(x + r, y)} m ` + [[x + r, y + k, x + k, y + r, x, y + r], [x - k, y + r, x - r, y + k, x - r, y], [x - r, y - k, x - k, y - r, x, y - r], [x + k, y - r, x + r, y - k, x + r, y]]
      .map((part) => `${numbers(...part)} c`).join(" ");
  };
  const trace = (path) => path.map(([name, x, y, w, h]) => name === "rect" ? `${numbers(x, y, w, h)} re` : name === "arc" ? circle(x, y, w) : `${numbers(x, y)} ${name === "moveTo" ? "m" : "l"}`).join("\n");
  const paint = ({ rgb, a }) => {
    if (!alphas.includes(a)) alphas.push(a);
    return `/A${alphas.indexOf(a)} gs ${numbers(...rgb)}`;
  };
  const words = ({ text, at: [x, y], size, align, turned, colour }) => {
    measure.font = `${size}px Helvetica, Arial, sans-serif`;
    const shift = measure.measureText(text).width * ({ center: 0.5, right: 1 }[align] ?? 0);
    const codes = [...String(text)].map((c) => letters[c] ?? (c.charCodeAt(0) < 256 && c.length === 1 ? c.charCodeAt(0) : 0x3f));
    const turn = turned ? `0 -1 -1 0 ${numbers(x, y + shift)}` : `1 0 0 -1 ${numbers(x - shift, y)}`;
    return `${paint(colour)} rg BT /F ${short(size)} Tf ${turn} Tm <${codes.map((c) => c.toString(16).padStart(2, "0")).join("")}> Tj ET`;
  };
  const draw = { words, stroke: (m) => `${paint(m.colour)} RG 1 j [${m.dash.join(" ")}] 0 d ${short(m.width)} w ${trace(m.path)} S`, fill: (m) => `${paint(m.colour)} rg ${trace(m.path)} f` };
  const stream = [`0.75 0 0 -0.75 0 ${0.75 * height} cm`, ...marks.map((m) => `q ${m.clips.map((path) => `${trace(path)} W n `).join("")}${draw[m.kind](m)} Q`)].join("\n");
  const states = alphas.map((a, i) => `/A${i} << /ca ${a} /CA ${a} >>`).join(" ");
  const objects = ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${numbers(0.75 * width, 0.75 * height)}] /Contents 4 0 R ` +
      `/Resources << /Font << /F 5 0 R >> /ExtGState << ${states} >> >> >>`,
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"];
  let text = "%PDF-1.4\n";
  const at = objects.map((object, i) => { const here = text.length; text += `${i + 1} 0 obj\n${object}\nendobj\n`; return here; });
  const table = text.length;
  text += `xref\n0 ${at.length + 1}\n0000000000 65535 f \n` + at.map((x) => `${String(x).padStart(10, "0")} 00000 n \n`).join("") +
    `trailer\n<< /Size ${at.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return text;
};
