// What a reader does with a page, and what then must be so: appended to a page by test_html_browser.c.
"use strict";
addEventListener("load", async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  // What a page does takes a frame or two, and long on a machine with much else to do.
  const check = async (what, holds) => {
    const end = performance.now() + 20000;
    while (!holds() && performance.now() < end)
      await wait(50);
    console.log(`${holds() ? "yes" : "NO"}: ${what}`);
  };
  const button = (root, words) => [...root.querySelectorAll("button")].find((b) => b.textContent === words);
  const saved = [];
  URL.createObjectURL = (blob) => { saved.push(blob); return "data:,"; };
  HTMLAnchorElement.prototype.click = () => {};
  const last = () => saved[saved.length - 1].text();
  try {
    const [figure] = figures, panel = figure.panels[0], plot = document.querySelector(".plot");
    const range = (p) => p.plot.scales.x.max - p.plot.scales.x.min;
    await check("figures are drawn", () => figures.every((f) => f.panels.every((p) => p.plot.ctx.canvas.width > 100)));
    await check("figures have names for those who do not see them", () => [...document.querySelectorAll("figure")].every((f) => f.ariaLabel));

    const over = plot.querySelector(".u-over"), box = over.getBoundingClientRect(), before = range(panel);
    const mouse = (type, x) => (type === "mousedown" ? over : document).dispatchEvent(
      new MouseEvent(type, { clientX: box.left + x, clientY: box.top + 20, button: 0, bubbles: true, cancelable: true }));
    over.dispatchEvent(new MouseEvent("mouseenter", { clientX: box.left + 60, clientY: box.top + 20 }));
    mouse("mousedown", 60);
    over.dispatchEvent(new MouseEvent("mousemove", { clientX: box.left + 160, clientY: box.top + 20, movementX: 100, bubbles: true }));
    await wait(100);
    mouse("mouseup", 160);
    const part = (100 / box.width) * before;
    await check("a stretch that is dragged is what is shown", () => Math.abs(range(panel) - part) < 0.1 * part);
    await check("panels with the same axis follow", () => figure.panels.every((p) => Math.abs(range(p) - range(panel)) < 1e-9 * before));
    button(plot, "Whole").click();
    await check("the whole comes back", () => Math.abs(range(panel) - before) < 1e-6 * before);
    panel.root.dispatchEvent(new KeyboardEvent("keydown", { key: "+", bubbles: true }));
    await check("a key zooms, too", () => range(panel) < 0.7 * before);
    panel.root.dispatchEvent(new KeyboardEvent("keydown", { key: "0", bubbles: true }));
    await check("and another brings the whole", () => Math.abs(range(panel) - before) < 1e-6 * before);

    const middle = { clientX: box.left + box.width / 2, clientY: box.top + 20, movementX: 1, bubbles: true };
    over.dispatchEvent(new MouseEvent("mousemove", middle));
    const values = () => [...panel.readout.querySelectorAll(".value")].map((v) => v.textContent);
    await check("x and the values of all curves stand under the pointer", () => /^x = [-\d.e]+/.test(panel.readout.textContent) &&
      values().length === panel.panel.curves.length && panel.panel.curves.every((c, i) => c.y.some((y) => values()[i].includes(plain(y)))));

    const image = () => panel.plot.ctx.canvas.toDataURL(), curve = plot.querySelector(".legend button"), shown = image();
    curve.click();
    await check("a curve goes", () => curve.ariaPressed === "false" && image() !== shown);
    curve.click();
    await check("and comes back", () => curve.ariaPressed === "true" && image() === shown);

    const panels = figures.flatMap((f) => f.panels), banded = ({ panel }) => panel.curves.filter((c) => c.style === "line" && c.e);
    await check("errors of lines are bands of the plot, of two on either side", () => panels.some((p) => banded(p).length) && panels.every((p) =>
      p.plot.bands.length === banded(p).length && p.plot.bands.every((b, k) => {
        const { y, e } = banded(p)[k], edge = (n) => p.plot.data[b.series[n]][1];
        return p.plot.series[b.series[0]]._paths.fill && y.every((v, i) => v === null || Math.abs(edge(0)[i] - edge(1)[i] - 4 * e[i]) < 1e-9 * Math.abs(v) + 1e-12);
      })));
    button(plot, "SVG").click();
    const strokes = (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("path[stroke]").length, whole = strokes(await last());
    await check("drawing a file leaves the screen as it was", () => image() === shown);
    curve.click();
    button(plot, "SVG").click();
    const without = strokes(await last());
    await check("a curve that is off is in no file", () => without < whole);
    curve.click();
    button(plot, "SVG").click();
    const svg = new DOMParser().parseFromString(await last(), "image/svg+xml");
    await check("a figure is saved as SVG", () => svg.documentElement.tagName === "svg" && !svg.querySelector("parsererror") && svg.querySelectorAll("path").length > 5 &&
      figure.panels.every((p) => [...svg.querySelectorAll("text")].filter((t) => t.textContent === p.panel.ylabel).length === 1));
    button(plot, "PDF").click();
    const pdf = await last(), at = +pdf.match(/startxref\n(\d+)/)[1];
    await check("as PDF", () => pdf.startsWith("%PDF-1.4") && pdf.endsWith("%%EOF\n") && pdf.startsWith("xref", at) &&
      [...pdf.matchAll(/^(\d{10}) 00000 n/gm)].every(([, offset], i) => pdf.startsWith(`${i + 1} 0 obj`, +offset)));
    button(plot, "CSV").click();
    const rows = (await last()).trim().split("\n");
    await check("as CSV", () => rows[0] === "panel,curve,x,y,error" && rows.length - 1 === figure.json.panels.flatMap((p) => p.curves.map((c) => c.x.length)).reduce((a, b) => a + b));
    const file = document.querySelector("a.file");
    file.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    const text = await last();
    await check("a file is saved", () => text.length > 20);

    const table = document.querySelector("table[data-name=means]"), sort = table.tHead.rows[0].cells[1];
    sort.querySelector("button").click();
    const means = [...table.tBodies[0].rows].map((row) => parseFloat(row.cells[1].textContent));
    await check("a table is sorted", () => means.length > 3 && means.every((v, i) => i === 0 || means[i - 1] <= v) && sort.ariaSort === "ascending");

    await check("there are molecules", () => movies.length === 1 && movies[0].viewer !== null);
    const water = ["O", "H", "O", "H"], far = [0, 0, 0, 97, 0, 0, 290, 0, 0, 290, 97, 0];
    const bonds = (x, cell = []) => hydrogenBonds(water, x, cell).length;
    await check("a straight hydrogen bond is one", () => bonds(far) === 1);
    await check("a long or a bent one is none", () => bonds(far.map((v) => (v === 290 ? 360 : v))) === 0 && bonds([0, 0, 0, 97, 0, 0, 97, 200, 0, 97, 297, 0]) === 0);
    const across = [190, 0, 0, 287, 0, 0, -20, 0, 0, -20, 97, 0];
    await check("across a box it counts by the nearest image", () => bonds(across) === 0 && bonds(across, [5, 5, 5]) === 1);
    await check("hydrogen bonds are drawn, and go", () => {
      const { bonded } = movies[0];
      if (bonded.checked) bonded.click();
      const none = movies[0].bonds.length;
      bonded.click();
      return none === 0 && bonded.checked && movies[0].bonds.length === hydrogenBonds(movies[0].json.symbols, movies[0].json.frames[movies[0].frame], movies[0].json.box).length;
    });
    const movie = movies[0], play = movie.button, seen = movie.viewer.pngURI();
    await movie.show(0);
    play.click();
    await check("they move", () => movie.frame > 0 && play.textContent === "Pause");
    play.click();
    const here = movie.frame;
    await wait(500);
    await check("and stop", () => movie.frame === here && play.textContent === "Play");
    await check("what is seen is another picture", () => seen.length > 2000 && movie.viewer.pngURI() !== seen);
    movie.slider.value = 1;
    movie.slider.dispatchEvent(new Event("input"));
    await check("the slider leads to a frame", () => movie.frame === 1);
    await check("nothing stands beyond the window", () => document.documentElement.scrollWidth <= innerWidth);
  } catch (error) {
    console.log(`NO: ${error.stack}`);
  }
  console.log("done");
});
