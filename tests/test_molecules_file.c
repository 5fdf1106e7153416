/* Files of molecules: what a file says is in the structure, and whatever is wrong in one is named with its
 * line. */
#include "io/molecules_file.h"
#include "tests/files.h"

static Error error;

/* The first block of YAML of the manual's page: methanol, whole. */
static const char *methanol(void)
{
  static char text[8192];
  char path[512];
  size_t size;
  const char *root = getenv("HOLONOM_SOURCE");
  snprintf(path, sizeof path, "%s/docs/molecules-file.md", root != NULL ? root : ".");
  char *page = (char *)files_read(path, &size);
  page[size] = '\0';
  const char *begin = strstr(page, "```yaml\n");
  ck_assert_ptr_nonnull(begin);
  begin += strlen("```yaml\n");
  const char *end = strstr(begin, "```");
  ck_assert_ptr_nonnull(end);
  snprintf(text, sizeof text, "%.*s", (int)(end - begin), begin);
  free(page);
  return text;
}

static Molecules *parse(const char *text)
{
  Molecules *m;
  const Status status = molecules_file_parse(&m, "m.yaml", text, strlen(text), &error);
  ck_assert_msg(status == STATUS_OK, "%s", error.text);
  return m;
}

/* Water, ions and a few more, all on few lines; for tests to change. */
static const char several[] =
    "format: holonom-molecules 1\n"                                                          /* 1 */
    "rule: lorentz-berthelot\n"                                                              /* 2 */
    "types: {OW: [3.15061, 0.1521], HW: [0, 0], Na: [2.4, 0.09], Cl: {c12: 3e7, c6: 4e3}}\n" /* 3 */
    "pairs:\n"                                                                               /* 4 */
    "  - [OW, Na, 2.9, 0.2]\n"                                                               /* 5 */
    "  - [Na, Cl, {c12: 1e6, c6: 2e2}]\n"                                                    /* 6 */
    "molecules:\n"                                                                           /* 7 */
    "  water:\n"                                                                             /* 8 */
    "    atoms:\n"                                                                           /* 9 */
    "      - [OW, OW, 0, 15.9994, WAT]\n"                                                    /* 10 */
    "      - [HW1, HW, 0.52, 1.008, WAT, 7]\n"                                               /* 11 */
    "      - [HW2, HW, 0.52, 1.008]\n"                                                       /* 12 */
    "      - [MW, HW, -1.04, 0]\n"                                                           /* 13 */
    "    constraints: [[1, 2, 0.9572], [3, 1, 0.9572], [2, 3, 1.5139]]\n"                    /* 14 */
    "    virtual: [[4, 3, 1, 2, 3, 0.1280125, 0.1280125]]\n"                                 /* 15 */
    "    exclude: 1\n"                                                                       /* 16 */
    "    exclusions: [[1, 4]]\n"                                                             /* 17 */
    "  Na: {atoms: [[Na, Na, 1, 22.99]]}\n"                                                  /* 18 */
    "  chain:\n"                                                                             /* 19 */
    "    atoms: [[A, Na, 0.3, 12], [B, Na, 0, 12], [C, Na, 0, 12], [D, Na, 0, 12], [E, Na, 0, 12]]\n"
    "    bonds: [[4, 5]]\n"                                                   /* 21 */
    "    terms:\n"                                                            /* 22 */
    "      bond-morse: [[2, 1, 1.5, 80, 2]]\n"                                /* 23 */
    "      bond: [[2, 3, 1.5, 300], [3, 4, 1.5, 300]]\n"                      /* 24 */
    "      urey-bradley: [[1, 3, 2.5, 10]]\n"                                 /* 25 */
    "      angle: [[1, 2, 3, 90, 40]]\n"                                      /* 26 */
    "      torsion: [[1, 2, 3, 4, -180, 1.5, 2], [1, 2, 3, 4, 0, -0.5, 3]]\n" /* 27 */
    "      torsion-ryckaert: [[2, 3, 4, 5, 1, -2, 3, -4, 5, -6]]\n"           /* 28 */
    "    exclude: 2\n"                                                        /* 29 */
    "system: [[water, 3], [Na, 1], [water, 2]]\n";                            /* 30 */

TEST(the_manual_s_example_is_read)
{
  Molecules *m = parse(methanol());
  ck_assert_int_eq(m->ntype, 4);
  ck_assert_int_eq(m->nmolecule, 1);
  ck_assert_int_eq(m->nnote, 0);
  ck_assert_int_eq(m->ncount, 1);
  ck_assert_int_eq(m->count[0].n, 50);
  const Molecule *a = &m->molecule[0];
  ck_assert_str_eq(a->name, "methanol");
  ck_assert_int_eq(a->natom, 6);
  ck_assert_int_eq(a->nbond, 5);
  ck_assert_int_eq(a->nterm, 5 + 7 + 3 + 3);
  ck_assert_int_eq(a->nexclusion, 15);
  ck_assert_double_eq_tol(a->charge, 0.0, 1e-12);
  ck_assert_str_eq(a->atom[4].residue, "methanol");
  ck_assert_str_eq(a->term[5].type->name, "angle");
  ck_assert_double_eq_tol(a->term[5].param[0], 107.8 * M_PI / 180.0, 1e-14);
  ck_assert_double_eq(a->term[5].param[1], 66.0);
  for (int k = 0; k < m->ntype * m->ntype; k++) {
    const MoleculesDispersion *d = m->dispersion, *i = &d[k / 4 * 5], *j = &d[k % 4 * 5];
    ck_assert_double_eq_tol(d[k].a, sqrt(i->a * j->a), 1e-9 * d[k].a + 1e-9);
    ck_assert_double_eq_tol(d[k].c, sqrt(i->c * j->c), 1e-9 * d[k].c + 1e-9);
  }
  ck_assert_double_eq_tol(m->dispersion[0].a, 4.0 * 0.066 * pow(3.5, 12.0), 1e-9 * m->dispersion[0].a);
  molecules_free(m);
}

static void check_pairs(int n, const MoleculesPair *pair, const char *wanted)
{
  char text[256] = "";
  for (int k = 0; k < n; k++)
    snprintf(text + strlen(text), sizeof text - strlen(text), "%d-%d ", pair[k].atom[0] + 1,
             pair[k].atom[1] + 1);
  ck_assert_str_eq(text, wanted);
}

TEST(what_a_file_says_is_there)
{
  Molecules *m = parse(several);
  const MoleculesDispersion *d = m->dispersion;
  const Molecule *water = &m->molecule[0], *chain = &m->molecule[2];
  ck_assert_int_eq(m->nmolecule, 3);
  ck_assert_int_eq(m->ncount, 3);
  ck_assert_int_eq(m->count[2].molecule, 0);
  /* The pairs of the file, in both orders; the others by the rule. */
  ck_assert_double_eq_tol(d[0 * 4 + 2].a, 4.0 * 0.2 * pow(2.9, 12.0), 1e-9 * d[2].a);
  ck_assert_double_eq(d[2 * 4 + 0].a, d[0 * 4 + 2].a);
  ck_assert_double_eq(d[3 * 4 + 2].a, 1e6);
  ck_assert_double_eq(d[2 * 4 + 3].c, 2e2);
  const double sigma = 0.5 * (3.15061 + pow(3e7 / 4e3, 1.0 / 6.0)), epsilon = sqrt(0.1521 * 16e6 / 12e7);
  ck_assert_double_eq_tol(d[3].c, 4.0 * epsilon * pow(sigma, 6.0), 1e-9 * d[3].c);
  ck_assert_double_eq(d[1].a, 0.0);
  ck_assert_str_eq(water->atom[0].residue, "WAT");
  ck_assert_int_eq(water->atom[0].number, 1);
  ck_assert_int_eq(water->atom[1].number, 7);
  check_pairs(water->nbond, water->bond, "1-2 1-3 2-3 ");
  check_pairs(water->nexclusion, water->exclusion, "1-2 1-3 1-4 2-3 2-4 3-4 ");
  check_pairs(chain->nbond, chain->bond, "1-2 2-3 3-4 4-5 ");
  check_pairs(chain->nexclusion, chain->exclusion, "1-2 1-3 2-3 2-4 3-4 3-5 4-5 ");
  ck_assert_int_eq(chain->nterm, 8);
  ck_assert_int_eq(m->nnote, 1);
  ck_assert_ptr_nonnull(strstr(m->note[0], "m.yaml:20: molecule chain: the charges sum to 0.3 e"));
  molecules_free(m);
}

/* The text with its first `from` replaced. */
static const char *with(const char *text, const char *from, const char *to)
{
  static char changed[8192];
  const char *at = strstr(text, from);
  ck_assert_msg(at != NULL, "no '%s'", from);
  snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return changed;
}

static void refused(const char *text, int line, const char *words)
{
  Molecules *m = (Molecules *)&error;
  char where[32];
  snprintf(where, sizeof where, "m.yaml:%d: ", line);
  const Status status = molecules_file_parse(&m, "m.yaml", text, strlen(text), &error);
  ck_assert_msg(status == STATUS_INPUT, "'%s' is not refused", words);
  ck_assert_ptr_null(m);
  ck_assert_msg(strstr(error.text, where) == error.text, "line %d, not: %s", line, error.text);
  ck_assert_msg(strstr(error.text, words) != NULL, "'%s' is not in: %s", words, error.text);
}

/* Rows of c4 in both orders; the digest depends on them, but not on rows of zeros. */
TEST(c4_is_read)
{
  Molecules *bare = parse(several), *none = parse(with(several, "pairs:\n", "c4: [[Na, OW, 0]]\npairs:\n")),
            *m = parse(with(several, "pairs:\n", "c4: [[Na, OW, 132], [Cl, OW, -55.5]]\npairs:\n"));
  ck_assert_ptr_null(bare->c4);
  ck_assert_ptr_null(none->c4);
  ck_assert_double_eq(molecules_c4(m, 0, 2), 132.0);
  ck_assert_double_eq(molecules_c4(m, 2, 0), 132.0);
  ck_assert_double_eq(molecules_c4(m, 3, 0), -55.5);
  ck_assert_double_eq(molecules_c4(m, 2, 3), 0.0);
  ck_assert(molecules_digest(bare) == molecules_digest(none));
  ck_assert(molecules_digest(bare) != molecules_digest(m));
  molecules_free(bare);
  molecules_free(none);
  molecules_free(m);
}

static const struct {
  const char *from, *to;
  int line;
  const char *words;
} faults[] = {
    {"format: holonom-molecules 1", "format: holonom-molecules 2", 1, "wanted: holonom-molecules 1"},
    {"format:", "fromat:", 1, "unknown key 'fromat'; did you mean format?"},
    {"lorentz-berthelot", "lorentz", 2, "did you mean lorentz-berthelot?"},
    {"rule: lorentz-berthelot\n", "", 1, "the key 'rule' is missing"},
    {"[3.15061, 0.1521]", "[3.15061]", 3, "type OW: [sigma, epsilon]"},
    {"[3.15061, 0.1521]", "[3.15061, nan]", 3, "'nan' is not a number"},
    {"[3.15061, 0.1521]", "[0x10, 1]", 3, "'0x10' is not a number"},
    {"[3.15061, 0.1521]", "[-3, 1]", 3, "at least 0"},
    {"[3.15061, 0.1521]", "[900, 1e290]", 3, "too large"},
    {"Na: [2.4, 0.09]", "HW: [2.4, 0.09]", 3, "type HW is given twice, the first time in line 3"},
    {"{c12: 3e7, c6: 4e3}", "{c12: 3e7}", 3, "wanted: {c12:"},
    {"{c12: 3e7, c6: 4e3}", "{c12: 3e7, c6: 0}", 3, "lorentz-berthelot cannot mix it"},
    {"[OW, Na, 2.9, 0.2]", "[OW, NA, 2.9, 0.2]", 5, "unknown type 'NA'; did you mean Na?"},
    {"[OW, Na, 2.9, 0.2]", "[Cl, Na, 2.9, 0.2]", 5, "a pair is given twice"},
    {"[OW, Na, 2.9, 0.2]", "[OW, Na, 2.9]", 5, "wanted: [type, type, sigma, epsilon]"},
    {"pairs:\n", "c4: [[OW, NA, 2]]\npairs:\n", 4, "unknown type 'NA'; did you mean Na?"},
    {"pairs:\n", "c4: [[OW, Na, nan]]\npairs:\n", 4, "'nan' is not a number"},
    {"pairs:\n", "c4: [[OW, Na, 1e300]]\npairs:\n", 4, "C (kcal A^4/mol)"},
    {"pairs:\n", "c4: [[OW, Na]]\npairs:\n", 4, "wanted: [type, type, C]"},
    {"pairs:\n", "c4: [[OW, Na, 2], [Na, OW, 2]]\npairs:\n", 4, "c4: a pair is given twice"},
    {"pairs:\n", "c4: {OW: 2}\npairs:\n", 4, "rows [type, type, C]"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, OWW, 0, 15.9994]", 10,
     "molecule water: unknown type 'OWW'; did you mean OW?"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, OW, 0, -1]", 10, "a mass (g/mol; 0: a virtual site) is -1"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, OW, 0]", 10,
     "a row with 3 values; wanted: [name, type, charge, mass"},
    {"[OW, OW, 0, 15.9994, WAT]", "[\"O W\", OW, 0, 16]", 10, "contains blanks"},
    {"[OW, OW, 0, 15.9994, WAT]", "OW, OW, 0, 16", 10, "is not a row"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, OW, 0, 15,9994]", 10, "write decimals with a point"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, OW, 0, 1e-300]", 10, "a mass of 1e-300 g/mol"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, [OW], 0, 16]", 10, "type: found a list; wanted: one word"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, , 0, 16]", 10, "is not YAML"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, \"\", 0, 16]", 10, "type is missing"},
    {"[OW, OW, 0, 15.9994, WAT]", "[OW, OW, inf, 16]", 10, "'inf' is not a number"},
    {"[HW2, HW, 0.52, 1.008]", "[HW2, HW, 0.52, 0]", 14, "3 is the virtual site HW2"},
    {"[[1, 2, 0.9572]", "[[1, 5, 0.9572]", 14, "constraints: '5'; wanted: a whole number from 1 to 4"},
    {"[[1, 2, 0.9572]", "[[1, 0, 0.9572]", 14, "a whole number from 1"},
    {"[[1, 2, 0.9572]", "[[1, 1, 0.9572]", 14, "atom 1 is named twice"},
    {"[[1, 2, 0.9572]", "[[1, 3, 0.9572]", 14, "a pair of atoms is given twice"},
    {"[[1, 2, 0.9572]", "[[1, 2, 0]", 14, "a length (A) is 0"},
    {"[[1, 2, 0.9572]", "[[1, 4, 0.9572]", 14, "4 is the virtual site MW"},
    {"[[4, 3, 1", "[[4, 3fdd, 1", 15, "unknown kind of virtual site '3fdd'; did you mean 3fd?"},
    {"[[4, 3, 1", "[[4, 3out, 1", 15, "wanted: virtual: [atom, 3out, i, j, k, a, b, c in 1/A]"},
    {"[[4, 3, 1", "[[3, 3, 1", 15, "has a mass"},
    {"[[4, 3, 1", "[[4, 3, 4", 15, "atom 4, MW, is placed by sites that it places itself"},
    {"    virtual: [[4, 3, 1, 2, 3, 0.1280125, 0.1280125]]\n", "", 10,
     "atom 4, MW, has no mass; wanted: a mass > 0"},
    {"0.1280125]]", "0.1280125], [4, 2, 1, 2, 0.5]]", 15, "atom 4 is placed twice"},
    {"exclude: 1", "exclude: 5", 16, "a whole number from 0 to 4"},
    {"exclude: 1", "exclude: 1\n    exclude: 2", 17, "the key 'exclude' is given twice"},
    {"exclusions: [[1, 4]]", "exclusions: [[1, 4, 2]]", 17, "wanted: [atom, atom]"},
    {"exclusions: [[1, 4]]", "exclusion: [[1, 4]]", 17, "did you mean exclusions?"},
    {"Na: {atoms", "water: {atoms", 18, "molecule water is given twice"},
    {"{atoms: [[Na, Na, 1, 22.99]]}", "{bonds: []}", 18, "molecule Na: atoms are missing"},
    {"{atoms: [[Na, Na, 1, 22.99]]}", "", 18, "molecule Na: the section is empty"},
    {"{atoms: [[Na, Na, 1, 22.99]]}", "{atoms: []}", 18, "atoms: 0 rows"},
    {"bonds: [[4, 5]]", "bonds: [[4, 5], [5, 4]]", 21, "bonds: a pair of atoms is given twice"},
    {"bonds: [[4, 5]]", "bonds:", 21, "bonds: wanted: a list of rows [atom, atom]; found nothing"},
    {"bonds: [[4, 5]]", "bonds: 4-5", 21, "wanted: a list of rows [atom, atom]"},
    {"bond-morse:", "bond-mores:", 23, "unknown key 'bond-mores'; did you mean bond-morse?"},
    {"bond-morse:", "cross:", 23, "unknown key 'cross'; wanted: one of bond, bond-quartic"},
    {"bond-morse:", "cmap: [[1, 2, 3, 4, 5, a]]\n      bond-morse:", 23, "unknown grid 'a'; the file has no"},
    {"[[2, 1, 1.5, 80, 2]]", "[[2, 1, 1.5, 80]]", 23, "wanted: bond-morse: [2 atoms, length, depth, rate]"},
    {"[[2, 1, 1.5, 80, 2]]", "[[2, 1, -1.5, 80, 2]]", 23, "bond-morse: length (A) is -1.5"},
    {"[[1, 2, 3, 90, 40]]", "[[1, 2, 3, 190, 40]]", 26, "at most 180"},
    {"[[1, 2, 3, 90, 40]]", "[[1, 2, 1, 90, 40]]", 26, "atom 1 is named twice"},
    {"-180, 1.5, 2]", "-180, 1.5, 2.5]", 27, "torsion: n: '2.5'; wanted: a whole number"},
    {"[water, 2]]", "[wter, 2]]", 30, "unknown molecule 'wter'; did you mean water?"},
    {"[water, 2]]", "[water, 0]]", 30, "a whole number from 1"},
    {"[water, 2]]", "[water, 50000000]]", 30, "at most 50000000"},
    {"system:", "system: &a", 30, "anchors (&)"},
    {"system:", "system: !!seq", 30, "anchors (&), aliases (*) and tags"},
    {"[water, 2]]", "*a]", 30, "anchors"},
    {"    exclude: 2\n", "\texclude: 2\n", 29, "there is a tab"},
    {"system: ", "system: [", 31, "is not YAML"},
    {"system: ", "---\nsystem: ", 30, "a second document starts here"},
    {"Na: {atoms", "Na: {atoms: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", 18, "more than 32 deep"},
    {"[MW, HW, -1.04, 0]", "[\"M\\0W\", HW, -1.04, 0]", 13, "a zero byte"},
};

TEST(what_is_wrong_is_named_with_its_line, .rows = sizeof faults / sizeof *faults)
{
  refused(with(several, faults[_i].from, faults[_i].to), faults[_i].line, faults[_i].words);
}

/* A chain with grids, in lines and in brackets. */
static const char gridded[] =
    "format: holonom-molecules 1\n" /* 1 */
    "rule: geometric\n"             /* 2 */
    "types: {C: [3, 0.1]}\n"        /* 3 */
    "grids:\n"                      /* 4 */
    "  small: [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, -1, 1.5], [0, 0, 0, 1]]\n"
    "  large:\n"                 /* 6 */
    "    - [1, 0, 0, 0, 0]\n"    /* 7 */
    "    - [0, 2, 0, 0, 0]\n"    /* 8 */
    "    - [0, 0, 3, 0, 0]\n"    /* 9 */
    "    - [0, 0, 0, 4, 0]\n"    /* 10 */
    "    - [0, 0, 0, 0, 5e-1]\n" /* 11 */
    "molecules:\n"               /* 12 */
    "  chain:\n"                 /* 13 */
    "    atoms: [[A, C, 0, 12], [B, C, 0, 12], [D, C, 0, 12], [E, C, 0, 12], [F, C, 0, 12]]\n"
    "    terms:\n"                                                    /* 15 */
    "      bond: [[1, 2, 1.5, 9], [2, 3, 1.5, 9]]\n"                  /* 16 */
    "      cmap: [[1, 2, 3, 4, 5, large], [5, 4, 3, 2, 1, small]]\n"; /* 17 */

TEST(grids_are_read)
{
  Molecules *m = parse(gridded);
  const Molecule *chain = m->molecule;
  ck_assert_int_eq(m->ngrid, 2);
  ck_assert_int_eq(m->grid[0].n, 4);
  ck_assert_int_eq(m->grid[1].n, 5);
  ck_assert_str_eq(m->grid[1].name, "large");
  ck_assert_double_eq(m->grid[0].value[2 * 4 + 3], 1.5);
  ck_assert_double_eq(m->grid[1].value[24], 0.5);
  ck_assert_int_eq(chain->nterm, 4);
  ck_assert_int_eq(chain->nbond, 2); /* a grid bonds nobody */
  ck_assert_int_eq(chain->nexclusion, 3);
  ck_assert_str_eq(chain->term[2].type->name, "cmap");
  ck_assert_double_eq(chain->term[2].param[0], 1.0);
  ck_assert_double_eq(chain->term[3].param[0], 0.0);
  ck_assert_int_eq(chain->term[3].atom[4], 0);
  ck_assert_int_eq(m->nnote, 0);
  molecules_free(m);
  Molecules *same = parse(gridded), *other = parse(with(gridded, "[0, 0, 3, 0, 0]", "[0, 0, 3, 0, 1e-9]"));
  ck_assert(molecules_digest(same) != molecules_digest(other));
  molecules_free(same);
  molecules_free(other);
  m = parse(with(gridded, ", [5, 4, 3, 2, 1, small]", ""));
  ck_assert_int_eq(m->nnote, 1);
  ck_assert_str_eq(m->note[0], "m.yaml:5: no term uses the grid small");
  molecules_free(m);
  char charged[2048];
  snprintf(charged, sizeof charged, "%s", with(gridded, "[A, C, 0, 12]", "[A, C, 0.5, 12]"));
  m = parse(with(charged, "cmap:", "#"));
  ck_assert_int_eq(m->nnote, 3);
  ck_assert_str_eq(m->note[2], "m.yaml:6: no term uses the grid large");
  molecules_free(m);
}

static const struct {
  const char *from, *to;
  int line;
  const char *words;
} grid_faults[] = {
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, 5, larg", 17, "unknown grid 'larg'; did you mean large?"},
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, 5, 0", 17, "unknown grid '0'"},
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, large", 17, "wanted: cmap: [5 atoms, grid]"},
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, 5, [large]", 17, "grid: found a list; wanted: one word"},
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, 5, large, 1", 17, "a row with 7 values"},
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, 6, large", 17, "cmap: '6'; wanted: a whole number from 1 to 5"},
    {"1, 2, 3, 4, 5, large", "1, 2, 3, 4, 1, large", 17, "cmap: atom 1 is named twice"},
    {"[0, 2, 0, 0, 0]", "[0, 2, 0, 0]", 8, "grid large: a row with 4 energies; wanted: 5, as many as rows"},
    {"[0, 2, 0, 0, 0]", "[0, 2, 0, 0, 0, 0]", 8, "a row with 6 energies"},
    {"[0, 2, 0, 0, 0]", "[0, nan, 0, 0, 0]", 8, "grid large: 'nan' is not a number"},
    {"[0, 2, 0, 0, 0]", "[0, [2], 0, 0, 0]", 8, "'a list' is not a number"},
    {"[0, 2, 0, 0, 0]", "[0, 1e10, 0, 0, 0]", 8, "at most 1e+09"},
    {"[0, 2, 0, 0, 0]", "0", 8, "grid large: wanted: a list of rows of energies; found 0"},
    {"[[0, 1, 2, 3], ", "[", 5, "grid small: 3 rows; wanted: 4 to 360"},
    {"[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, -1, 1.5], [0, 0, 0, 1]]", "[]", 5, "grid small: 0 rows"},
    {"[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, -1, 1.5], [0, 0, 0, 1]]", "24", 5, "wanted: a list of n rows"},
    {"small:", "large:", 6, "grid large is given twice, the first time in line 5"},
    {"small:", "\"sm all\":", 5, "contains blanks"},
    {"grids:", "grid:", 4, "unknown key 'grid'; did you mean grids?"},
    {"grids:", "grids: []\nsystem:", 4, "grids: wanted: 'name: rows of energies'"},
};

TEST(what_is_wrong_with_a_grid_is_named_with_its_line, .rows = sizeof grid_faults / sizeof *grid_faults)
{
  refused(with(gridded, grid_faults[_i].from, grid_faults[_i].to), grid_faults[_i].line,
          grid_faults[_i].words);
}

/* A chain with a grid, and tables of x^2 by all coordinates. */
static const char tabulated[] =
    "format: holonom-molecules 1\n" /* 1 */
    "rule: geometric\n"             /* 2 */
    "types: {C: [3, 0.1]}\n"        /* 3 */
    "grids: {wave: [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, -1, 1.5], [0, 0, 0, 1]]}\n"
    "tables:\n" /* 5 */
    "  wide: {from: 0, to: 180, rows: [[0, 0], [3600, 120], [14400, 240], [32400, 360]]}\n"
    "  long:\n"                                                                       /* 7 */
    "    from: 1\n"                                                                   /* 8 */
    "    to: 4.0\n"                                                                   /* 9 */
    "    rows:\n"                                                                     /* 10 */
    "      - [1, 2]\n"                                                                /* 11 */
    "      - [4, 4]\n"                                                                /* 12 */
    "      - [9, 6]\n"                                                                /* 13 */
    "      - [16, 8]\n"                                                               /* 14 */
    "  turn: {from: -180, to: 180, rows: [[0, 0], [1, 0], [0, 0], [1, 0], [0, 0]]}\n" /* 15 */
    "molecules:\n"                                                                    /* 16 */
    "  chain:\n"                                                                      /* 17 */
    "    atoms: [[A, C, 0, 12], [B, C, 0, 12], [D, C, 0, 12], [E, C, 0, 12], [F, C, 0, 12]]\n"
    "    terms:\n"                                                  /* 19 */
    "      distance-table: [[1, 2, long, 1.5], [2, 3, long, -2]]\n" /* 20 */
    "      angle-table: [[1, 2, 3, wide, 3]]\n"                     /* 21 */
    "      torsion-table: [[1, 2, 3, 4, turn, 0.5]]\n"              /* 22 */
    "      cmap: [[1, 2, 3, 4, 5, wave]]\n";                        /* 23 */

TEST(tables_are_read)
{
  Molecules *m = parse(tabulated);
  const Molecule *chain = m->molecule;
  ck_assert_int_eq(m->ngrid, 4);
  ck_assert(!term_grid_is_table(&m->grid[0]) && term_grid_is_table(&m->grid[2]));
  ck_assert_str_eq(m->grid[2].name, "long");
  ck_assert_int_eq(m->grid[2].n, 4);
  ck_assert_double_eq(m->grid[2].to, 4.0);
  ck_assert_double_eq(m->grid[2].value[2 * 3 + 1], 8.0);
  ck_assert_int_eq(chain->nterm, 5);
  ck_assert_int_eq(chain->nbond, 0); /* a table makes no bond */
  for (int t = 0; t < chain->nterm; t++)
    if (chain->term[t].type->form == COORDINATE_DISTANCE) {
      ck_assert_double_eq(chain->term[t].param[0], 2.0);
      ck_assert_double_eq(chain->term[t].param[1], chain->term[t].atom[0] == 0 ? 1.5 : -2.0);
    }
  ck_assert_int_eq(m->nnote, 0);
  Molecules *other = parse(with(tabulated, "[16, 8]", "[16, 8.0000001]")),
            *longer = parse(with(tabulated, "to: 4.0", "to: 4.1"));
  ck_assert(molecules_digest(m) != molecules_digest(other) &&
            molecules_digest(m) != molecules_digest(longer));
  molecules_free(m);
  molecules_free(other);
  molecules_free(longer);
  m = parse(with(tabulated, "torsion-table:", "#"));
  ck_assert_int_eq(m->nnote, 1);
  ck_assert_str_eq(m->note[0], "m.yaml:15: no term uses the table turn");
  molecules_free(m);
}

static const struct {
  const char *from, *to;
  int line;
  const char *words;
} table_faults[] = {
    {"[1, 2, long, 1.5]", "[1, 2, lon, 1.5]", 20, "unknown table 'lon'; did you mean long?"},
    {"[1, 2, long, 1.5]", "[1, 2, wave, 1.5]", 20, "unknown table 'wave'"},
    {"[1, 2, long, 1.5]", "[1, 2, long]", 20, "wanted: distance-table: [2 atoms, table, k]"},
    {"[1, 2, long, 1.5]", "[1, 2, turn, 1.5]", 20,
     "distance-table: table turn begins at -180 A; distances are not"},
    {"wide, 3", "long, 3", 21, "angle-table: table long goes from 1 to 4 degrees; angles go from 0 to 180"},
    {"turn, 0.5", "wide, 0.5", 22,
     "table wide goes from 0 to 180 degrees; dihedral angles go from -180 to 180"},
    {"4, 5, wave", "4, 5, wide", 23, "unknown grid 'wide'"},
    {"[1, 0], [0, 0]]", "[1, 0], [0, 0.1]]", 22, "at -180 and 180 degrees, which are one angle"},
    {"to: 4.0", "to: 1", 9, "table long: to is 1; wanted: above from, 1"},
    {"    to: 4.0\n", "", 8, "table long: the key 'to' is missing"},
    {"    to: 4.0", "    too: 4.0", 9, "unknown key 'too'; did you mean to?"},
    {"[4, 4]", "[4]", 12, "a row with 1 value; wanted: [energy, slope]"},
    {"[4, 4]", "[4, inf]", 12, "table long: 'inf' is not a number"},
    {"[4, 4]", "[4, -4]", 8, "table long: its slopes deviate by"},
    {"      - [1, 2]\n", "", 8, "table long has 3 rows; allowed: 4 to 100000"},
    {"tables:", "tables: []\nsystem:", 5, "tables: wanted: 'name: {from: ..., to: ..., rows:"},
};

TEST(what_is_wrong_with_a_table_is_named_with_its_line, .rows = sizeof table_faults / sizeof *table_faults)
{
  refused(with(tabulated, table_faults[_i].from, table_faults[_i].to), table_faults[_i].line,
          table_faults[_i].words);
}

TEST(what_is_no_file_of_molecules_is_refused)
{
  Molecules *m;
  refused("molecule", 1, "has no 'key: value' lines");
  refused("- a\n", 1, "has no 'key: value' lines");
  ck_assert_int_eq(molecules_file_parse(&m, "m.yaml", "", 0, &error), STATUS_INPUT);
  ck_assert_str_eq(error.text, "m.yaml is empty");
  refused("a: \xff\xff\n", 1, "is not text");
  ck_assert_int_eq(molecules_file_read(&m, files_path("none.yaml"), &error), STATUS_INPUT);
  ck_assert_ptr_null(m);
}

/* A chain of 10,000 atoms with all its terms, from a file. */
TEST(a_large_molecule_is_read_whole)
{
  enum { ATOMS = 10000 };
  FILE *file = fopen(files_path("large.yaml"), "w");
  ck_assert_ptr_nonnull(file);
  fprintf(file, "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3.5, 0.1]}\nmolecules:\n  "
                "chain:\n    atoms:\n");
  for (int i = 0; i < ATOMS; i++)
    fprintf(file, "    - [C%d, C, %.3f, 12.011, ALA, %d]\n", i, i % 2 ? 0.1 : -0.1, i / 10);
  fprintf(file, "    terms:\n      bond:\n");
  for (int i = 1; i < ATOMS; i++)
    fprintf(file, "      - [%d, %d, 1.5, 300]\n", i, i + 1);
  fprintf(file, "      angle:\n");
  for (int i = 1; i < ATOMS - 1; i++)
    fprintf(file, "      - [%d, %d, %d, 109.5, 80]\n", i, i + 1, i + 2);
  fprintf(file, "      torsion:\n");
  for (int i = 1; i < ATOMS - 2; i++)
    for (int n = 1; n <= 3; n++)
      fprintf(file, "      - [%d, %d, %d, %d, 180, 0.25, %d]\n", i, i + 1, i + 2, i + 3, n);
  fclose(file);
  Molecules *m;
  ck_assert_msg(molecules_file_read(&m, files_path("large.yaml"), &error) == STATUS_OK, "%s", error.text);
  const Molecule *chain = m->molecule;
  ck_assert_int_eq(chain->natom, ATOMS);
  ck_assert_int_eq(chain->nterm, ATOMS - 1 + ATOMS - 2 + 3 * (ATOMS - 3));
  ck_assert_int_eq(chain->nexclusion, 3 * ATOMS - 6);
  ck_assert_int_eq(chain->term[chain->nterm - 1].atom[3], ATOMS - 1);
  molecules_free(m);
}

/* Many bonds at one atom make more excluded pairs than anyone wants. */
TEST(absurd_exclusions_are_refused)
{
  enum { ATOMS = 7000 };
  static char text[ATOMS * 64];
  size_t n = (size_t)snprintf(
      text, sizeof text,
      "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3, 0]}\nmolecules:\n  star:\n    atoms:\n");
  for (int i = 0; i < ATOMS; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "    - [C, C, 0, 12]\n");
  n += (size_t)snprintf(text + n, sizeof text - n, "    bonds:\n");
  for (int i = 2; i <= ATOMS; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "    - [1, %d]\n", i);
  Molecules *m;
  ck_assert_int_eq(molecules_file_parse(&m, "m.yaml", text, n, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "star"));
}

/* Virtual sites where GROMACS's formulas have them: by lengths, angles and handedness. */
TEST(virtual_sites_are_placed)
{
  const double x[3][3] = {{0.1, 0.2, -0.3}, {1.3, 0.1, 0.2}, {0.2, 1.4, 0.5}};
  double at[3], ij[3], ik[3], to[3];
  for (int d = 0; d < 3; d++) {
    ij[d] = x[1][d] - x[0][d];
    ik[d] = x[2][d] - x[0][d];
  }
  const double normal[3] = {ij[1] * ik[2] - ij[2] * ik[1], ij[2] * ik[0] - ij[0] * ik[2],
                            ij[0] * ik[1] - ij[1] * ik[0]};
  static const VirtualSite site[] = {{VIRTUAL_SITE_2, 3, {0, 1}, {0.4}},
                                     {VIRTUAL_SITE_3, 3, {0, 1, 2}, {0.2, 0.3}},
                                     {VIRTUAL_SITE_3FD, 3, {0, 1, 2}, {0.5, 0.7}},
                                     {VIRTUAL_SITE_3FAD, 3, {0, 1, 2}, {2.0, 0.7}},
                                     {VIRTUAL_SITE_3OUT, 3, {0, 1, 2}, {0.2, 0.3, -0.5}}};
  for (int s = 0; s < 5; s++) {
    double r = 0.0, out = 0.0, along = 0.0, length = 0.0, area = 0.0, side = 0.0;
    virtual_site_at(&site[s], x, at);
    for (int d = 0; d < 3; d++) {
      to[d] = at[d] - x[0][d];
      r += to[d] * to[d];
      out += to[d] * normal[d];
      along += to[d] * ij[d];
      side += to[d] * ik[d];
      length += ij[d] * ij[d];
      area += normal[d] * normal[d];
    }
    if (s == 0)
      ck_assert_double_eq_tol(along, 0.4 * length, 1e-12);
    if (s == 1 || s == 4)
      for (int d = 0; d < 3; d++)
        ck_assert_double_eq_tol(to[d], 0.2 * ij[d] + 0.3 * ik[d] + (s == 4 ? -0.5 * normal[d] : 0.0), 1e-12);
    if (s == 2 || s == 3)
      ck_assert_double_eq_tol(sqrt(r), 0.7, 1e-12);
    if (s == 2) { /* half way between: as far from the line to j as from that to k, by areas */
      const double y[3] = {ij[0] + ik[0], ij[1] + ik[1], ij[2] + ik[2]};
      ck_assert_double_eq_tol(to[0] * y[1] - to[1] * y[0], 0.0, 1e-12);
      ck_assert_double_gt(to[0] * y[0] + to[1] * y[1] + to[2] * y[2], 0.0);
    }
    if (s == 3) {
      ck_assert_double_eq_tol(along, 0.7 * sqrt(length) * cos(2.0), 1e-12);
      ck_assert_double_gt(side - along * (ij[0] * ik[0] + ij[1] * ik[1] + ij[2] * ik[2]) / length, 0.0);
    }
    ck_assert_double_eq_tol(out, s == 4 ? -0.5 * area : 0.0, 1e-12);
  }
}
