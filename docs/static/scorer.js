/* The order of what a search finds: keys, functions and headings first, notes and the changelog last. */
var Scorer = {
  score: ([document, title, , , score]) =>
    (/^docs\/notes\/|^docs\/figures\/|CHANGELOG|CONTRIBUTING/.test(document) ? score - 1000 : title.includes(" > ") ? score + 100 : score),
  objNameMatch: 200, // as good as a heading of the same words
  objPartialMatch: 20,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
