/* Files of molecules as one: what they say of types, pairs, grids and molecules comes through, under any
 * name; what differs is refused. And molecules that overlap move apart as rigid bodies. */
#include "engine/random.h"
#include "io/molecules_join.h"
#include "simulation/start/apart.h"
#include "tests/suite.h"

/* Names that YAML has other uses for. */
static const char one[] =
    "format: holonom-molecules 1\nrule: geometric\n"
    "types: {\"a:b\": [3, 0.1], 'null': [2.5, 0.2], '#1': {c12: 5, c6: 0}, spare: [1, 1]}\n"
    "pairs: [['a:b', 'null', 2.9, 0.3], ['a:b', spare, 1, 1]]\n"
    "c4: [['a:b', '#1', 7], ['a:b', spare, 1]]\n"
    "grids:\n  g: [[0, 1, 0, -1], [1, 0, -1, 0], [0, -1, 0, 1], [-1, 0, 1, 0]]\n"
    "  idle: [[0, 1, 0, -1], [1, 0, -1, 0], [0, -1, 0, 1], [-1, 0, 1, 0]]\n"
    "molecules:\n"
    "  \"five\\\"q\\\",\\\\\\u00e9\":\n    atoms: [[C1', 'a:b', 0, 12], ['-', 'null', 0, 12], [C, '#1', "
    "0, 12],\n"
    "      ['C*', 'null', 0, 12], ['[', 'null', 0, 12]]\n"
    "    terms: {bond: [[1, 2, 1.5, 1e2], [2, 3, 1.5, 300], [3, 4, 1.5, 300], [4, 5, 1.5, 300]], cmap: [[1, "
    "2, 3, 4, 5, g]]}\n"
    "    exclude: 2\n    exclusions: [[1, 5]]\n"
    "  other: {atoms: [[A, spare, 0, 1]]}\n";
static const char two[] = "format: holonom-molecules 1\nrule: geometric\n"
                          "types: {'null': [2.5, 0.2], Z: [4, 0.5]}\npairs: [['null', Z, 1.5, 0.7]]\n"
                          "molecules: {z: {atoms: [[Z, Z, 1, 9], [Y, 'null', 0, 9], [M, Z, 0, 0]],\n"
                          "  constraints: [[1, 2, 1.1]], virtual: [[3, 2, 1, 2, 0.5]]}}\nsystem: [[z, 3]]\n";

static const Molecules *parse(const char *text)
{
  Molecules *m;
  Error error = {0};
  ck_assert_msg(molecules_file_parse(&m, "part", text, strlen(text), &error) == STATUS_OK, "%s", error.text);
  return m;
}

static int type_of(const Molecules *m, const char *name)
{
  for (int i = 0; i < m->ntype; i++)
    if (strcmp(m->type[i], name) == 0)
      return i;
  return -1;
}

static void same_molecule(const Molecules *joined, const Molecule *is, const Molecules *all,
                          const Molecule *was)
{
  ck_assert_str_eq(is->name, was->name);
  ck_assert_int_eq(is->natom, was->natom);
  ck_assert_int_eq(is->nterm, was->nterm);
  ck_assert_int_eq(is->nexclusion, was->nexclusion);
  ck_assert_int_eq(is->nconstraint, was->nconstraint);
  ck_assert_int_eq(is->nvirtual, was->nvirtual);
  for (int i = 0; i < is->natom; i++) {
    const MoleculesAtom *a = &is->atom[i], *b = &was->atom[i];
    ck_assert_str_eq(a->name, b->name);
    ck_assert_str_eq(joined->type[a->type], all->type[b->type]);
    ck_assert(a->charge == b->charge && a->mass == b->mass);
    for (int k = 0; k < is->natom; k++) {
      const MoleculesDispersion *d = &joined->dispersion[a->type * joined->ntype + is->atom[k].type],
                                *e = &all->dispersion[b->type * all->ntype + was->atom[k].type];
      ck_assert(d->a == e->a && d->c == e->c);
      ck_assert_double_eq(molecules_c4(joined, a->type, is->atom[k].type),
                          molecules_c4(all, b->type, was->atom[k].type));
    }
  }
  for (int t = 0; t < is->nterm; t++) {
    ck_assert_ptr_eq(is->term[t].type, was->term[t].type);
    if (is->term[t].type->nparam > 1)
      ck_assert_mem_eq(is->term[t].param, was->term[t].param, sizeof is->term[t].param);
  }
}

TEST(all_comes_through)
{
  const MoleculesPart part[] = {{.path = "two.yaml", .text = two, .n = 7},
                                {.path = "one.yaml", .text = one, .molecule = "five\"q\",\\\u00e9", .n = 5}};
  char *text;
  Molecules *joined;
  Error error = {0};
  ck_assert_msg(molecules_join(2, part, &text, &joined, &error) == STATUS_OK, "%s", error.text);
  const Molecules *a = parse(two), *b = parse(one);
  ck_assert_int_eq(joined->nmolecule, 2);
  same_molecule(joined, &joined->molecule[0], a, &a->molecule[0]);
  same_molecule(joined, &joined->molecule[1], b, &b->molecule[0]);
  ck_assert_int_eq(joined->ntype, 4); /* none that no atom has */
  ck_assert_int_eq(type_of(joined, "spare"), -1);
  ck_assert_int_eq(joined->ngrid, 1);
  ck_assert_str_eq(joined->grid[0].name, "g");
  ck_assert_mem_eq(joined->grid[0].value, b->grid[0].value, 16 * sizeof(double));
  ck_assert_int_eq(joined->nnote, 0);
  ck_assert_int_eq(joined->ncount, 2);
  ck_assert_int_eq(joined->count[0].molecule, 0);
  ck_assert_int_eq(joined->count[0].n, 7);
  ck_assert_int_eq(joined->count[1].n, 5);
  /* Of one more file the joined one is a part like any other. */
  const MoleculesPart again[] = {
      {.path = "joined", .text = text, .molecule = "z", .n = 7},
      {.path = "joined", .text = text, .molecule = joined->molecule[1].name, .n = 5}};
  char *second;
  Molecules *same;
  ck_assert_int_eq(molecules_join(2, again, &second, &same, &error), STATUS_OK);
  ck_assert_str_eq(text, second);
  ck_assert(molecules_digest(joined) == molecules_digest(same));
  free(text);
  free(second);
  molecules_free(joined);
  molecules_free(same);
  molecules_free((Molecules *)a);
  molecules_free((Molecules *)b);
}

#define ATOMS_OF(types, more) "format: holonom-molecules 1\nrule: geometric\n" types "molecules: {" more "}\n"
#define CHAIN(name)                                                                                          \
  name ": {atoms: [[A, X, 0, 1], [B, X, 0, 1], [C, X, 0, 1], [D, X, 0, 1], [E, X, 0, 1]], terms: {bond: "    \
       "[[1, 2, 1, 1], "                                                                                     \
       "[2, 3, 1, 1], [3, 4, 1, 1], [4, 5, 1, 1]], cmap: [[1, 2, 3, 4, 5, g]]}}"
#define GRID(x)                                                                                              \
  "types: {X: [1, 1]}\ngrids: {g: [[0, 1, 0, -1], [1, 0, -1, 0], [0, -1, 0, 1], [-1, 0, 1, " x "]]}\n"

#define PAIR(name) name ": {atoms: [[A, X, 0, 1], [B, X, 0, 1]], terms: {distance-table: [[1, 2, t, 1]]}}"
#define TABLE(end)                                                                                           \
  "types: {X: [1, 1]}\ntables: {t: {from: 0, to: " end ", rows: [[0, 0], [1, 2], [4, 4], [9, 6]]}}\n"

static const struct {
  const char *text[2], *says;
} differ[] = {
    {{ATOMS_OF("types: {X: [3, 1]}\n", "a: {atoms: [[A, X, 0, 1]]}"),
      ATOMS_OF("types: {X: [3, 2]}\n", "b: {atoms: [[A, X, 0, 1]]}")},
     "other numbers for type X"},
    /* A pair that one file has and the other would not have it. */
    {{ATOMS_OF("types: {X: [3, 1], Y: [3, 2]}\npairs: [[X, Y, 4, 4]]\n", "a: {atoms: [[A, X, 0, 1]]}"),
      ATOMS_OF("types: {X: [3, 1], Y: [3, 2]}\n", "b: {atoms: [[A, Y, 0, 1]]}")},
     "other numbers for types X and Y"},
    {{ATOMS_OF("types: {X: [3, 1], Y: [3, 2]}\npairs: [[X, Y, 4, 4]]\n", "a: {atoms: [[A, X, 0, 1]]}"),
      ATOMS_OF("types: {X: [3, 1], Y: [3, 2]}\npairs: [[Y, X, 4, 5]]\n", "b: {atoms: [[A, Y, 0, 1]]}")},
     "other numbers for types X and Y"},
    {{ATOMS_OF("types: {X: [3, 1], Y: [3, 2]}\nc4: [[X, Y, 4]]\n", "a: {atoms: [[A, X, 0, 1]]}"),
      ATOMS_OF("types: {X: [3, 1], Y: [3, 2]}\nc4: [[Y, X, 5]]\n", "b: {atoms: [[A, Y, 0, 1]]}")},
     "other numbers for types X and Y"},
    {{ATOMS_OF(GRID("0"), CHAIN("a")), ATOMS_OF(GRID("1"), CHAIN("b"))}, "another grid g"},
    {{ATOMS_OF(TABLE("3"), PAIR("a")), ATOMS_OF(TABLE("3.1"), PAIR("b"))}, "another table t"},
};

TEST(what_differs_is_refused, .rows = sizeof differ / sizeof *differ)
{
  const MoleculesPart part[] = {{.path = "one.yaml", .text = differ[_i].text[0], .n = 1},
                                {.path = "two.yaml", .text = differ[_i].text[1], .n = 1}};
  char *text;
  Molecules *joined;
  Error error = {0};
  ck_assert_int_eq(molecules_join(2, part, &text, &joined, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, differ[_i].says) != NULL, "%s", error.text);
  ck_assert(text == NULL && joined == NULL);
  ck_assert_int_eq(molecules_join(1, part, &text, &joined, &error), STATUS_OK);
  free(text);
  molecules_free(joined);
}

/* A joined file has each table once, beside grids. */
TEST(tables_are_joined)
{
  const char
      *head = "types: {X: [1, 1]}\ngrids: {t: [[0, 1, 0, -1], [1, 0, -1, 0], [0, -1, 0, 1], [-1, 0, 1, 0]]}\n"
              "tables: {no: {from: 0, to: 3, rows: [[0, 0], [1, 2], [4, 4], [9, 6]]}, "
              "t: {from: 0, to: 3, rows: [[0, 0], [1, 2], [4, 4], [9, 6]]}}\n",
      *form = "format: holonom-molecules 1\nrule: geometric\n%smolecules: {%s}\n";
  char first[2048], second[2048], *text;
  snprintf(first, sizeof first, form, head, PAIR("a"));
  snprintf(second, sizeof second, form, TABLE("3"), PAIR("b"));
  const MoleculesPart part[] = {{.path = "one.yaml", .text = first, .n = 1},
                                {.path = "two.yaml", .text = second, .n = 1}};
  Molecules *joined;
  Error error = {0};
  ck_assert_msg(molecules_join(2, part, &text, &joined, &error) == STATUS_OK, "%s", error.text);
  ck_assert_int_eq(joined->ngrid, 1);
  ck_assert(term_grid_is_table(&joined->grid[0]));
  ck_assert_str_eq(joined->grid[0].name, "t");
  ck_assert_double_eq(joined->molecule[1].term[0].param[0], 0.0);
  free(text);
  molecules_free(joined);
}

/* Squares of side 1.5 A at random in boxes of any shape: apart by all pairs of images, and squares still. */
enum { SQUARES = 40, CORNERS = 4 };

static double nearest(const Box *box, const double (*x)[3])
{
  double least = INFINITY, r[3];
  for (int i = 0; i < SQUARES * CORNERS; i++)
    for (int k = 0; k < i; k++)
      if (i / CORNERS != k / CORNERS)
        least = fmin(least, box_distance(box, x[i], x[k], r));
  return sqrt(least);
}

TEST(rigid_bodies_come_apart, .rows = 4)
{
  static const double corner[CORNERS][3] = {{0, 0, 0}, {1.5, 0, 0}, {1.5, 1.5, 0}, {0, 1.5, 0}};
  const Box box = _i == 0   ? box_brick(17, 17, 17)
                  : _i == 1 ? box_brick(5.5, 24, 40)
                            : box_of_shape(_i == 2 ? BOX_OCTAHEDRON : BOX_DODECAHEDRON, 20);
  double x[SQUARES * CORNERS][3], least;
  int first[SQUARES + 1];
  RandomStream stream = random_stream(5, 0, RANDOM_START);
  for (int m = 0; m <= SQUARES; m++)
    first[m] = CORNERS * m;
  for (int m = 0; m < SQUARES; m++) {
    double u[3], at[3];
    for (int d = 0; d < 3; d++)
      u[d] = random_below(&stream, 1000) / 1000.0;
    box_point(&box, u, at);
    for (int k = 0; k < CORNERS; k++)
      for (int d = 0; d < 3; d++)
        x[CORNERS * m + k][d] = at[d] + corner[k][d];
  }
  memcpy(x[CORNERS], x[0], CORNERS * sizeof *x); /* two in one place */
  ck_assert_double_lt(nearest(&box, (const double(*)[3])x), 1.0);
  ck_assert_int_eq(apart_move(&box, SQUARES, first, x, &stream, &least, NULL), STATUS_OK);
  ck_assert_double_eq(least, APART_DISTANCE);
  ck_assert_double_ge(nearest(&box, (const double(*)[3])x), APART_DISTANCE - 1e-12);
  for (int m = 0; m < SQUARES; m++)
    for (int k = 0; k < CORNERS; k++)
      for (int j = 0; j < k; j++) {
        const double *a = x[CORNERS * m + k], *b = x[CORNERS * m + j];
        ck_assert_double_eq_tol(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]),
                                (k - j) % 2 == 1 ? 1.5 : 1.5 * sqrt(2.0), 1e-9);
      }
  /* Where there is no room for them, that is said. */
  const Box small = box_brick(7, 7, 7);
  ck_assert_int_eq(apart_move(&small, SQUARES, first, x, &stream, &least, NULL), STATUS_OK);
  ck_assert_double_lt(least, APART_DISTANCE);
}
