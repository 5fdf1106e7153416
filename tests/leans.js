// What must be so on the page of an oblique box: appended by test_html_browser.c.
"use strict";
addEventListener("load", async () => {
  await new Promise((done) => setTimeout(done, 500));
  const check = (what, holds) => console.log(`${holds ? "yes" : "NO"}: ${what}`);
  try {
    for (let k = 0; k < 400 && !(movies.length === 1 && movies[0].viewer); k++)
      await new Promise((done) => setTimeout(done, 50));
    const { viewer, json } = movies[0], lines = [], add = viewer.addLine;
    viewer.addLine = (line) => { lines.push(line); return add.call(viewer, line); };
    movies[0].shapes();
    const drawn = lines.filter((line) => !line.dashed).map(({ start, end }) => [end.x - start.x, end.y - start.y, end.z - start.z]);
    const d = json.box[0], edges = [[1, 0, 0], [0, 1, 0], [0.5, 0.5, Math.SQRT1_2]].map((edge) => edge.map((v) => d * v));
    const same = (a, b) => a.every((v, k) => Math.abs(v - b[k]) < 0.01);
    check("the box is drawn by its twelve edges", drawn.length === 12);
    check("they lean as those of a dodecahedron", edges.every((edge) => drawn.filter((line) => same(line, edge)).length === 4));
    check("figures are drawn", figures.every((f) => f.panels.every((p) => p.plot.ctx.canvas.width > 100)));
  } catch (error) {
    console.log(`NO: ${error.stack}`);
  }
  console.log("done");
});
