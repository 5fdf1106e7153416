/* Energies, forces and pressures of a box of waters and species by LAMMPS, with equal constants. */
#ifndef HOLONOM_TESTS_LAMMPS_BOX_H
#define HOLONOM_TESTS_LAMMPS_BOX_H

#include "engine/units.h"
#include "tests/lammps.h"
#include "tests/mixed_box.h"
#include "tests/norms.h"

enum { LAMMPS_ATOMS = 1600 };
static const double lammps_pressure = 68568.415; /* its nktv2p in units real */

typedef struct LammpsAnswer {
  double lj, coulomb; /* lj with its tail */
  double pressure[6]; /* atm: xx yy zz xy xz yz, of the virial by atom */
  double f[3 * LAMMPS_ATOMS];
} LammpsAnswer;

/* The sites of molecule i of block b. */
static void lammps_molecule(const MixedBox *s, int b, int i, double *x)
{
  const SiteMap *map = &s->particles.kind[b].map;
  const Block *block = &s->state->block[b];
  double atom[3 * SITE_MAP_ATOMS];
  for (int k = 0; k < 3 * map->natom; k++)
    atom[k] = ((const double *)block->q)[state_index(block, 1, i, 0, k / 3, k % 3)];
  site_map_sites(map, atom, x);
}

/* Types: of each block the first site, then one for all that has no Lennard-Jones. */
static void lammps_sites(const MixedBox *s, FILE *file)
{
  const double scale = sqrt(UNITS_COULOMB / lammps_coulomb);
  for (int b = 0, id = 1, molecule = 1; b < s->particles.nblock; b++) {
    const SiteMap *map = &s->particles.kind[b].map;
    for (int i = 0; i < s->particles.kind[b].nmol; i++, molecule++) {
      double x[3 * SITE_MAP_SITES];
      lammps_molecule(s, b, i, x);
      for (int a = 0; a < map->nsite; a++)
        fprintf(file, "%d %d %d %.17g %.17g %.17g %.17g\n", id++, molecule,
                a == 0 ? b + 1 : s->particles.nblock + 1, scale * mixed_box_charge(s, b, molecule - 1, a),
                x[3 * a], x[3 * a + 1], x[3 * a + 2]);
    }
  }
}

/* Massless sites are atoms of their own; bonds that do nothing keep what is inside molecules out. */
static void lammps_data(const MixedBox *s, const char *folder)
{
  FILE *file = lammps_open(folder, "box.data", "w");
  int sites = 0, bonds = 0, types = s->particles.nblock + 1;
  for (int b = 0; b < s->particles.nblock; b++) {
    sites += s->particles.kind[b].nmol * s->particles.kind[b].map.nsite;
    bonds += s->particles.kind[b].nmol * (s->particles.kind[b].map.nsite - 1);
  }
  fprintf(file, "box\n\n%d atoms\n%d bonds\n%d atom types\n1 bond types\n", sites, bonds, types);
  for (int d = 0; d < 3; d++)
    fprintf(file, "0 %.17g %clo %chi\n", box_length(&s->state->box, d), "xyz"[d], "xyz"[d]);
  fprintf(file, "\nMasses\n\n");
  for (int t = 1; t <= types; t++)
    fprintf(file, "%d 1.0\n", t);
  fprintf(file, "\nAtoms\n\n");
  lammps_sites(s, file);
  if (bonds > 0)
    fprintf(file, "\nBonds\n\n");
  for (int b = 0, id = 1, first = 1; b < s->particles.nblock; b++)
    for (int i = 0; i < s->particles.kind[b].nmol; i++, first += s->particles.kind[b].map.nsite)
      for (int a = 1; a < s->particles.kind[b].map.nsite; a++)
        fprintf(file, "%d 1 %d %d\n", id++, first, first + a);
  ck_assert_int_eq(fclose(file), 0);
}

/* style: the pair style with its cutoff; more: further commands. The real part of Ewald's sum by a fine
 * table, of squared distances in float: forces to 1e-7. Its polynomial has errors of 1e-6. */
static void lammps_script(const MixedBox *s, const char *style, const char *more, const char *folder)
{
  FILE *file = lammps_open(folder, "in.lmp", "w");
  fprintf(file,
          "units real\nboundary p p p\natom_style full\npair_style %s\nbond_style zero\n"
          "special_bonds lj/coul 0 0 0\nread_data box.data extra/special/per/atom 4\npair_coeff * * 0.0 1.0\n"
          "bond_coeff 1\n",
          style);
  for (int a = 0; a < s->particles.nblock; a++)
    for (int b = a; b < s->particles.nblock; b++) {
      const double *lj = mixed_box_lj(s, a, b);
      fprintf(file, "pair_coeff %d %d %.17g %.17g\n", a + 1, b + 1, lj[1] * lj[1] / (4.0 * lj[0]),
              pow(lj[0] / lj[1], 1.0 / 6.0));
    }
  fprintf(file,
          "%s\ndump d all custom 1 forces.txt id fx fy fz\ndump_modify d sort id format float %%.17g\n"
          "thermo_style custom step evdwl ecoul elong pxx pyy pzz pxy pxz pyz\nthermo_modify norm no\nrun 0\n"
          "print \"$(evdwl:%%.17g) $(ecoul+elong:%%.17g) $(pxx:%%.17g) $(pyy:%%.17g) $(pzz:%%.17g) "
          "$(pxy:%%.17g) $(pxz:%%.17g) $(pyz:%%.17g)\" file energy.txt\n",
          more);
  ck_assert_int_eq(fclose(file), 0);
}

/* The pressures of a virial, in atm. */
static void lammps_pressures(const double virial[3][3], const Box *box, double *pressure)
{
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (int k = 0; k < 6; k++)
    pressure[k] = virial[at[k][0]][at[k][1]] / box_volume(box) * lammps_pressure;
}

static void lammps_read(const MixedBox *s, const char *folder, LammpsAnswer *answer)
{
  *answer = (LammpsAnswer){0};
  FILE *file = lammps_open(folder, "energy.txt", "r");
  double *p = answer->pressure;
  ck_assert_int_eq(fscanf(file, "%lf %lf %lf %lf %lf %lf %lf %lf", &answer->lj, &answer->coulomb, p, p + 1,
                          p + 2, p + 3, p + 4, p + 5),
                   8);
  fclose(file);
  file = lammps_forces(folder);
  double *to = answer->f, virial[3][3] = {{0.0}}, more[6];
  for (int b = 0; b < s->particles.nblock; b++) {
    const SiteMap *map = &s->particles.kind[b].map;
    for (int i = 0; i < s->particles.kind[b].nmol; i++, to += 3 * map->natom) {
      double x[3 * SITE_MAP_SITES], g[3 * SITE_MAP_SITES];
      for (int a = 0; a < map->nsite; a++) {
        int id;
        ck_assert_int_eq(fscanf(file, "%d %lf %lf %lf", &id, g + 3 * a, g + 3 * a + 1, g + 3 * a + 2), 4);
      }
      lammps_molecule(s, b, i, x);
      site_map_forces(map, x, g, to); /* of virtual sites, to the atoms */
      site_map_virial(map, x, g, virial);
    }
  }
  fclose(file);
  lammps_pressures((const double(*)[3])virial, &s->state->box, more);
  for (int k = 0; k < 6; k++)
    p[k] += more[k];
}

static void lammps_ask(const MixedBox *s, const char *style, const char *more, LammpsAnswer *answer)
{
  char folder[64];
  ck_assert_int_le(s->natom, LAMMPS_ATOMS);
  lammps_begin(folder);
  lammps_data(s, folder);
  lammps_script(s, style, more, folder);
  lammps_run(folder);
  lammps_read(s, folder, answer);
  lammps_end(folder);
}

/* Forces to 1e-6 of their size, energies to a relative error of lj and `coulomb` of its scale, pressures to
 * 1e-6 of the largest. */
static void lammps_compare(const MixedBox *s, const LammpsAnswer *own, const LammpsAnswer *theirs,
                           double coulomb)
{
  double largest = 0.0;
  for (int k = 0; k < 6; k++)
    largest = fmax(largest, fabs(theirs->pressure[k]));
  ck_assert_double_lt(deviation(3 * s->natom, own->f, theirs->f), 1e-6);
  ck_assert_double_eq_tol(own->lj, theirs->lj, 1e-9 * fabs(theirs->lj));
  ck_assert_double_eq_tol(own->coulomb, theirs->coulomb, coulomb);
  for (int k = 0; k < 6; k++)
    ck_assert_double_eq_tol(own->pressure[k], theirs->pressure[k], 1e-6 * largest);
}

#endif
