/* Boxes with a net charge, which a uniform background neutralises: known energies of such lattices; neither
 * energy, forces nor virial depends on how the Ewald sum is split; the virial is the response to strain. */
#include "engine/units.h"
#include "tests/atoms_box.h"
#include "tests/norms.h"
#include "tests/periodic_box.h"
#include "tests/program.h"
#include "tests/shorter.h"

/* --- one ion in a box -------------------------------------------------------------------------------------
 */

/* Wigner's lattices: -E a/(C q^2), a the radius of a sphere of an ion's volume (Fuchs, Proc. R. Soc. A 151,
 * 585 (1935); Coldwell-Horsfall and Maradudin, J. Math. Phys. 1, 395 (1960)); the boxes of a simple cubic, a
 * body- and a face-centred lattice. */
static const struct {
  BoxShape shape;
  double constant;
} lattice[] = {{BOX_CUBIC, 0.8800594}, {BOX_OCTAHEDRON, 0.8959293}, {BOX_DODECAHEDRON, 0.8958736}};
enum { LATTICES = (int)(sizeof lattice / sizeof *lattice), SUMS = 3 };

static const struct {
  Coulomb coulomb;
  bool mixed;
  double tolerance;
} sum[SUMS] = {{COULOMB_EWALD, false, 1e-7}, {COULOMB_PME, false, 1e-6}, {COULOMB_PME, true, 1e-5}};

/* Energies of Coulomb scale as 1/length, and these lattices are isotropic: the virial is a third of the
 * energy along each axis. */
TEST(one_ion_has_the_energy_of_its_lattice, .rows = suite_rows(LATTICES + 1, LATTICES *SUMS))
{
  static const AtomModel ion = {.name = "ion", .symbol = "X", .mass = 20.0, .charge = 2.0};
  const AtomModel *const all[] = {&ion};
  const int shape = _i % LATTICES, how = _i / LATTICES, one = 1;
  const double a = 12.0, wigner = -lattice[shape].constant * UNITS_COULOMB * 4.0 / a;
  for (double beta = 0.45; beta < 0.7; beta += 0.2) {
    Periodicals p = {.field.n = 1};
    const PeriodicOptions o = {.atoms = &p.species.input,
                               .nonbonded.cutoff = 9.6,
                               .nonbonded.coulomb = sum[how].coulomb,
                               .nonbonded.mixed = sum[how].mixed,
                               .nonbonded.beta = beta,
                               .nonbonded.order = 6,
                               .nonbonded.grid = {90, 90, 90},
                               .threads = 1,
                               .isa = isa_best()};
    ck_assert_int_eq(atom_model_kind(&ion, &p.kind[0], NULL), STATUS_OK);
    ck_assert_int_eq(state_create(&p.state, 1, 1, (const Kind *const *)p.kind, &one, 1, 0, NULL), STATUS_OK);
    p.state->box = box_of_volume(lattice[shape].shape, 4.0 / 3.0 * M_PI * a * a * a);
    *state_element(&p.state->block[0], p.state->block[0].q, 1, 0, 0, 0, 1) = 3.21;
    species_input_make(&p.species, p.state, NULL, all);
    ck_assert_msg(periodic_create(&p.field.force[0], &o, p.state, &p.error) == STATUS_OK, "%s", p.error.text);
    ck_assert_double_eq_tol(periodic_energy(&p), wigner, sum[how].tolerance * fabs(wigner));
    for (int k = 0; k < 9; k++)
      ck_assert_double_eq_tol(p.virial[k / 3][k % 3], k % 4 == 0 ? wigner / 3.0 : 0.0,
                              3.0 * sum[how].tolerance * fabs(wigner));
    periodic_close(&p);
  }
}

/* --- liquids ----------------------------------------------------------------------------------------------
 */

static const struct {
  const char *name;
  bool by_atom, mixed;
  double cutoff, beta[2], tolerance;
} mesh[] = {{"by molecule", false, false, 9.0, {0.5, 0.58}, 1e-6},
            {"by molecule, mixed", false, true, 9.0, {0.5, 0.58}, 3e-5},
            {"by atom", true, false, 6.9, {0.65, 0.75}, 1e-6}};
enum { MESHES = (int)(sizeof mesh / sizeof *mesh) };

static PeriodicOptions fine_mesh(int k, double beta)
{
  return (PeriodicOptions){.nonbonded.cutoff = mesh[k].cutoff,
                           .nonbonded.tail = true,
                           .nonbonded.by_atom = mesh[k].by_atom,
                           .nonbonded.mixed = mesh[k].mixed,
                           .nonbonded.beta = beta,
                           .nonbonded.order = 6,
                           .nonbonded.grid = {108, 108, 108},
                           .threads = PERIODIC_THREADS};
}

/* Water and ions without counter ions: as the plain sum, whatever the splitting of both. */
TEST(splitting_makes_no_difference, .rows = suite_rows(2, MESHES))
{
  enum { ATOMS_MOST = 3 * BOX_N, SODIUM = 11 };
  static double f[ATOMS_MOST], exact[ATOMS_MOST];
  const AtomModel *const ions[] = {atom_model_find("Na+", "tip3p")};
  const int natom[] = {SODIUM, 0};
  Periodicals plain, p;
  PeriodicOptions o = fine_mesh(_i, 0.0);
  o.model = water_find("tip3p");
  o.nonbonded.coulomb = COULOMB_EWALD;
  o.nonbonded.mixed = false;
  periodic_open_with(&plain, &o, ions, natom);
  const double energy = periodic_energy(&plain);
  blocks_get(plain.state, 'f', exact);
  const int n = 9 * (BOX_NMOL - SODIUM) + 3 * SODIUM;
  for (int k = 0; k < 2; k++) {
    o = fine_mesh(_i, mesh[_i].beta[k]);
    o.model = water_find("tip3p");
    periodic_open_with(&p, &o, ions, natom);
    ck_assert_double_eq_tol(periodic_energy(&p), energy, mesh[_i].tolerance * fabs(energy));
    blocks_get(p.state, 'f', f);
    ck_assert_double_le(deviation(n, f, exact), mesh[_i].tolerance);
    ck_assert_double_le(deviation(9, &p.virial[0][0], &plain.virial[0][0]), 10.0 * mesh[_i].tolerance);
    periodic_close(&p);
  }
  periodic_close(&plain);
}

/* Molecules of several groups, ions and water, atom by atom, whose charges sum to 2.7 e. */
TEST(splitting_makes_no_difference_atom_by_atom, .rows = suite_rows(1, 4))
{
  static AtomsBox s;
  static double exact[ATOMS][3], virial[3][3];
  static const double upright[3], side = 21.0;
  const bool mixed = _i % 2;
  const double tolerance = mixed ? 3e-5 : 1e-6;
  atoms_box_make(&s, "tip3p", _i / 2, side, upright);
  *s.sort[2]->charge = 0.45;
  double charge = IONS * *s.sort[2]->charge;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < LONG; i++)
      charge += EACH * s.sort[k]->charge[i];
  ck_assert_double_gt(fabs(charge), 2.0);
  PeriodicOptions o = {.nonbonded.cutoff = 9.0, .nonbonded.coulomb = COULOMB_EWALD};
  ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
  const double energy = atoms_box_run(&s, 2);
  memcpy(exact, s.f, sizeof exact);
  memcpy(virial, s.virial, sizeof virial);
  for (double beta = 0.5; beta < 0.6; beta += 0.08) {
    o = (PeriodicOptions){.nonbonded.cutoff = 9.0,
                          .nonbonded.mixed = mixed,
                          .nonbonded.beta = beta,
                          .nonbonded.order = 6,
                          .nonbonded.grid = {108, 108, 108}};
    ck_assert_msg(atoms_box_open(&s, &o) == STATUS_OK, "%s", s.error.text);
    ck_assert_double_eq_tol(atoms_box_run(&s, 2), energy, tolerance * fabs(s.energy[EWALD_SELF]));
    ck_assert_double_le(deviation(3 * ATOMS, s.f[0], exact[0]), tolerance);
    ck_assert_double_le(deviation(9, s.virial[0], virial[0]), 10.0 * tolerance);
  }
  atoms_box_free(&s);
}

/* --- pressure ---------------------------------------------------------------------------------------------
 */

/* Sodium in argon, all of it strained along one axis, the mesh and its splitting staying as they are, as
 * under a barostat. */
TEST(virial_is_response_to_strain, .rows = suite_rows(2, 6))
{
  const AtomModel *const atoms[] = {atom_model_find("Na+", NULL), atom_model_find("argon", NULL)};
  const int natom[] = {8, 208, 0};
  const bool mixed = _i / 3;
  const int axis = _i % 3;
  const double strain = mixed ? 2e-3 : 2e-4;
  PeriodicOptions o = fine_mesh(mixed, 0.5);
  o.nonbonded.truncation = TRUNCATION_SWITCH;
  Periodicals p;
  periodic_open_with(&p, &o, atoms, natom);
  (void)periodic_energy(&p);
  const double virial = p.virial[axis][axis],
               background = ewald_background(8.0, 0.5) / box_volume(&p.state->box);
  ck_assert_double_gt(fabs(background), (mixed ? 6e-4 : 8e-6) * fabs(virial)); /* that it would be missed */
  double energy[2];
  for (int k = 0; k < 2; k++) {
    const double factor = k == 0 ? 1.0 - strain : (1.0 + strain) / (1.0 - strain);
    Box box = p.state->box;
    boxes_stretch(&box, axis, factor);
    for (int b = 0; b < p.state->nblock; b++)
      for (int i = 0; i < p.state->block[b].nlane; i++)
        *state_element(&p.state->block[b], p.state->block[b].q, 1, i, 0, 0, axis) *= factor;
    ck_assert_msg(force_field_set_box(&p.field, p.state, &box, &p.error) == STATUS_OK, "%s", p.error.text);
    energy[k] = periodic_energy(&p);
  }
  ck_assert_double_eq_tol((energy[0] - energy[1]) / (2.0 * strain), virial,
                          (mixed ? 3e-4 : 4e-6) * fabs(virial));
  periodic_close(&p);
}

/* --- the program ------------------------------------------------------------------------------------------
 */

static const char molecules[] =
    "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
    "types: {NA: [2.5, 0.0717017208413002], AR: [3.4, 0.2390057361376673]}\n"
    "molecules:\n  NA: {atoms: [[NA, NA, %s, 22.99]]}\n  AR: {atoms: [[AR, AR, 0, 39.948]]}\n"
    "system: [[NA, 2], [AR, 1]]\n";
static const char input[] = "system: {topology: ion.yaml, start: file, file: ion.xyz, box: 30 A}\n"
                            "forces: {cutoff: 12 A, tail: false, accuracy: 1e-6}\n"
                            "integrator: {word: BAOAB, timestep: 2 fs, steps: 20}\n"
                            "thermostat: {temperature: 300, friction: 1/ps}\n";

static void write_ions(const char *charge)
{
  char text[1024];
  snprintf(text, sizeof text, molecules, charge);
  program_write("ion.yaml", text);
  program_write("ion.xyz", "3\n\nNa 10 10 10\nNa 19 13 10\nAr 10 14 10\n");
  program_write("ions.yaml", input);
}

/* By GROMACS 2022.5 in double precision, with a mesh of 60 x 60 x 60 of order 12, kJ/mol. (Its pressure has
 * the background's part divided by the volume twice, and depends on the splitting.) */
TEST(energy_is_that_of_gromacs)
{
  static const double lj = -0.298821, coulomb = -628.775935 + 522.916866;
  write_ions("1");
  for (int k = 0; k < 4; k++) {
    program_runs("energy ions.yaml --set precision=%s --set forces.beta=%s", k / 2 ? "mixed" : "double",
                 k % 2 ? "0.3" : "0.4");
    ck_assert_double_eq_tol(program_number("lj") * UNITS_JOULE, lj, 1e-5);
    ck_assert_double_eq_tol(program_number("potential") * UNITS_JOULE, lj + coulomb, k / 2 ? 1e-3 : 5e-4);
    program_says("warning: the box has a net charge of +2 e");
  }
}

/* Ions with charges that are no whole numbers, which cancel: the energy of GROMACS, and no warning. */
TEST(scaled_charges_are_taken)
{
  write_ions("1");
  program_write("ion.yaml", "format: holonom-molecules 1\nrule: lorentz-berthelot\n"
                            "types: {NA: [2.5, 0.0717017208413002], AR: [3.4, 0.2390057361376673]}\n"
                            "molecules:\n  NA: {atoms: [[NA, NA, 0.85, 22.99]]}\n"
                            "  CL: {atoms: [[CL, AR, -0.85, 35.45]]}\nsystem: [[NA, 1], [CL, 1]]\n");
  program_write("ion.xyz", "2\n\nNa 10 10 10\nCl 13 10 10\n");
  program_runs("energy ions.yaml");
  ck_assert_double_eq_tol(program_number("potential") * UNITS_JOULE, -0.190001 - 484.012 + 148.698, 2e-3);
  ck_assert_ptr_null(strstr(program_output, "warning"));
  program_runs("run ions.yaml -o scaled --force");
  program_do("grep -q 'which is not a whole number' scaled/holonom.log");
}

/* The commands that take a box warn of it, and tell the rounding of charges from ions. */
TEST(net_charge_is_reported)
{
  write_ions("1");
  program_runs("check ions.yaml");
  program_says("warning: the box has a net charge of +2 e");
  program_says("add counter ions");
  program_says("\n# 1 warning\n");
  program_runs("run ions.yaml -o run --force");
  program_do("grep -q '^warning: the box has a net charge of +2 e' run/holonom.log");
  program_do("grep -q '^net_charge: 2 ' run/summary.yaml");
  write_ions("0.004");
  program_runs("check ions.yaml");
  program_says("warning: the box has a net charge of +0.008 e");
  program_says("rounded charges in ion.yaml");
  write_ions("0.00001");
  program_runs("check ions.yaml");
  ck_assert_ptr_null(strstr(program_output, "net charge"));
  program_says("\n# the input is fine\n");
  program_runs("check ions.yaml --set forces.coulomb=reaction-field");
}

/* Ions of the program's own without counter ions. */
TEST(ions_of_species_are_taken)
{
  program_write("salt.yaml", "system: {model: tip3p, molecules: 216, density: 0.9 g/cm3, atoms: {Na+: 3}}\n"
                             "forces: {cutoff: 8 A}\n"
                             "geometry: {method: settle}\n"
                             "integrator: {word: BAOAB, timestep: 2 fs, steps: 20}\n"
                             "thermostat: {temperature: 300, friction: 1/ps}\n");
  program_runs("check salt.yaml");
  program_says("warning: the box has a net charge of +3 e");
  program_runs("run salt.yaml -o salt --force");
  program_write("ion.xyz", "4\nLattice=\"20 0 0 0 20 0 0 0 20\"\nO 0 0 0\nH 0.95 0 0\nH 0 0.95 0\nK 5 5 5\n");
  program_runs("energy ion.xyz --model spce --ewald");
  program_says("warning: the box has a net charge of +1 e");
  program_runs("build --model tip3p --molecules 300 --atoms Na+=2 --cutoff 8 --equilibrate 0 "
               "--quiet --force -o box.gro");
  program_says("warning: the box has a net charge of +2 e");
}
