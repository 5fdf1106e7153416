// What must be so in a wide window on the page of a study: appended by test_html_browser.c.
"use strict";
addEventListener("load", async () => {
  await new Promise((done) => setTimeout(done, 500));
  const check = (what, holds) => console.log(`${holds ? "yes" : "NO"}: ${what}`);
  try {
    const tables = [...document.querySelectorAll(".table")], panels = figures.flatMap((f) => f.panels);
    check("tables fit 1280 pixels", tables.length > 1 && tables.every((t) => t.scrollWidth <= t.clientWidth));
    const unit = (words) => /\([^()]*\)$/.exec(words)?.[0] ?? "";
    const differences = panels.filter(({ panel }) => panel.ylabel?.startsWith("difference"));
    check("differences have the unit of what is subtracted", differences.length > 0 &&
      differences.every(({ figure, panel }) => unit(panel.ylabel) === unit(figure.json.panels[0].ylabel)));
    check("distributions have a unit", differences.every(({ panel }) => unit(panel.ylabel) !== ""));
  } catch (error) {
    console.log(`NO: ${error.stack}`);
  }
  console.log("done");
});
