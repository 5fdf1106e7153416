/* One molecule as groups, from its text in a file of molecules, and the laws that all groups keep. */
#ifndef HOLONOM_TESTS_GROUPED_H
#define HOLONOM_TESTS_GROUPED_H

#include "io/molecules_file.h"
#include "tests/made_molecules.h"
#include "tests/suite.h"
#include "topology/groups.h"

enum { GROUPED_ATOMS = 400 }; /* of a group of a test, at most */

static Error error;

static inline void fine(Status status) { ck_assert_msg(status == STATUS_OK, "%s", error.text); }

static inline Molecules *read_text(const char *molecules, const char *system)
{
  static char text[3 * TEXT];
  snprintf(text, sizeof text,
           "format: holonom-molecules 1\nrule: geometric\ntypes: {C: [3, 0.1]}\nmolecules:\n%ssystem: %s\n",
           molecules, system);
  Molecules *m;
  fine(molecules_file_parse(&m, "m.yaml", text, strlen(text), &error));
  return m;
}

/* One molecule alone. */
typedef struct One {
  Molecules *molecules;
  Groups *groups;
} One;

static inline Status try_one(const Made *m, GroupsKeep keep, One *one)
{
  char system[64];
  const char *name = m->text + 2;
  snprintf(system, sizeof system, "[[%.*s, 5]]", (int)strcspn(name, ":"), name);
  one->molecules = read_text(m->text, system);
  return groups_create(&one->groups, one->molecules, &keep, (const double(*const[])[3]){m->x}, &error);
}

static inline One one_of(const Made *m, GroupsKeep keep)
{
  One one;
  fine(try_one(m, keep, &one));
  return one;
}

static inline void one_free(One *one)
{
  groups_free(one->groups);
  molecules_free(one->molecules);
}

/* --- laws of all groups ------- */

/* The sites of a group, its first the `at`-th of all, of a molecule's atoms x. */
static inline void take_group(const GroupsMolecule *of, int at, int nsite, const double (*x)[3],
                              double (*own)[3])
{
  for (int s = 0; s < nsite; s++)
    memcpy(own[s], x[of->order[at + s]], sizeof *own);
}

static inline void check_straight(const Constraint *con, const double (*x)[3])
{
  const int k = (int)con->param[2];
  const double one = x[con->site[1]][k], other = x[con->site[2]][k];
  ck_assert_double_eq_tol(x[con->site[0]][k], one + con->param[1] * (other - one), 1e-12);
  ck_assert_double_eq_tol(between(x[con->site[1]], x[con->site[2]]), con->param[0], 1e-12);
}

/* The reference has its constraints to the last digits, kinds too, and their Jacobian has full rank; atoms
 * keep their order, and are sites of the groups, each once. */
static inline void check_laws(const Groups *g)
{
  for (int m = 0; m < g->molecules->nmolecule; m++) {
    const GroupsMolecule *of = &g->molecule[m];
    int at = 0;
    for (int k = 0; k < of->ngroup; k++) {
      const Kind *kind = g->kind[of->block[k]];
      Distance distance[3 * GROUPED_ATOMS];
      double own[GROUPED_ATOMS][3];
      int rank;
      ck_assert_int_le(kind->nsite, GROUPED_ATOMS);
      take_group(of, at, kind->nsite, (const double(*)[3])of->reference, own);
      ck_assert(k == 0 || of->block[k] >= of->block[k - 1]);
      for (int c = 0; c < kind->ncon; c++) {
        const Constraint *con = &kind->con[c];
        if (con->type == &constraint_straight) {
          distance[c] = (Distance){{con->site[0], con->site[1], con->site[2]},
                                   con->param[0],
                                   1 + (int)con->param[2],
                                   con->param[1]};
          check_straight(con, (const double(*)[3])own);
          continue;
        }
        distance[c] = (Distance){{con->site[0], con->site[1]}, .length = con->param[0]};
        ck_assert_int_lt(con->site[0], con->site[1]);
        ck_assert_double_eq_tol(distance_length(&distance[c], (const double(*)[3])own), con->param[0], 1e-12);
        ck_assert_double_eq_tol(distance_length(&distance[c], (const double(*)[3])kind->reference),
                                con->param[0], 1e-12);
      }
      fine(distances_rank(kind->nsite, kind->mass, kind->ncon, distance, (const double(*)[3])own, 1e-3, &rank,
                          &error));
      ck_assert_int_eq(rank, kind->ncon);
      for (int s = 0; s < kind->nsite; s++, at++) {
        const int atom = of->file[of->order[at]];
        ck_assert_double_eq(kind->mass[s], of->molecule->atom[atom].mass);
        ck_assert_int_eq(of->site[atom], of->order[at]);
        ck_assert_int_eq(of->group[atom], k);
      }
    }
    ck_assert_int_eq(at, of->natom);
    for (int i = 0; i < (of->nmol > 0 ? of->molecule->natom : 0);
         i++) { /* and back; virtual sites come last */
      ck_assert_int_eq(of->site[of->file[i]], i);
      ck_assert_int_eq(of->site[i] >= of->natom, of->molecule->atom[i].mass == 0.0);
      if (i > 0 && i < of->natom)
        ck_assert_int_lt(of->file[i - 1], of->file[i]);
    }
  }
}

static inline Status try_text(const char *molecules, const char *system, GroupsKeep keep,
                              const double (*x)[3], One *one)
{
  one->molecules = read_text(molecules, system);
  return groups_create(&one->groups, one->molecules, &keep, (const double(*const[])[3]){x}, &error);
}

static inline void refused(const char *molecules, const char *system, GroupsKeep keep, const double (*x)[3],
                           const char *words)
{
  One one;
  ck_assert_int_eq(try_text(molecules, system, keep, x, &one), STATUS_INPUT);
  ck_assert_ptr_null(one.groups);
  ck_assert_msg(strstr(error.text, words) != NULL, "'%s' is not in: %s", words, error.text);
  molecules_free(one.molecules);
}

#endif
