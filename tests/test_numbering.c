/* Sites of molecules have one number, by every door: from the file to the number in the molecule, from there
 * to the lane, and back; types, charges and names of forces are those of the file. */
#include "engine/random.h"
#include "forcefields/virtual_lanes.h"
#include "simulation/molecules/system.h"
#include "tests/suite.h"
#include "tests/virtual_world.h"

/* Virtual sites before, between and behind the atoms that place them, one placed by another; groups of two
 * atoms; waters; ions. */
static const char text[] =
    "format: holonom-molecules 1\nrule: geometric\ntypes: {A: [3, 0.1], B: [0, 0], O: [3.15, 0.155]}\n"
    "molecules:\n"
    "  odd:\n    atoms:\n      - [V, A, -0.2, 0]\n      - [C1, A, 0.1, 12]\n      - [H1, B, 0.1, 1]\n"
    "      - [W, B, -0.1, 0]\n      - [C2, A, 0.05, 13]\n      - [H2, B, 0.05, 1]\n"
    "    constraints: [[2, 3, 1.1], [5, 6, 1.1]]\n    terms: {bond: [[2, 5, 1.5, 600]]}\n"
    "    virtual:\n      - [4, \"2\", 5, 2, 0.4]\n      - [1, \"3\", 4, 3, 6, 0.3, 0.2]\n    exclude: 3\n"
    "  water:\n    atoms:\n      - [OW, O, 0, 15.9994]\n      - [MW, B, -1.04, 0]\n"
    "      - [HW1, B, 0.52, 1.008]\n      - [HW2, B, 0.52, 1.008]\n"
    "    constraints: [[1, 3, 0.9572], [1, 4, 0.9572], [3, 4, 1.5139]]\n"
    "    virtual:\n      - [2, \"3\", 1, 3, 4, 0.128, 0.128]\n    exclude: 2\n"
    "  ion:\n    atoms:\n      - [NA, A, 1, 22.99]\n"
    "system: [[odd, 3], [water, 11], [ion, 4], [odd, 2]]\n";
static const double odd_at[6][3] = {{0, 0, 0}, {0, 0, 0},     {0.3, 1.05, 0},
                                    {0, 0, 0}, {1.5, 0.2, 0}, {1.9, 0.3, 1.02}},
                    water_at[4][3] = {{0, 0, 0}, {0, 0, 0}, {0.7569, 0.5859, 0}, {-0.7569, 0.5859, 0}},
                    ion_at[1][3];
static const double (*const all_of[])[3] = {odd_at, water_at, ion_at};

/* Every site that has a lane is in one of its own, which knows molecule and number. */
static void check_lanes(const Topology *t)
{
  enum { MOST = 1024 };
  int first[8] = {0}, lanes = 0, sites = 0, n = 0;
  bool seen[MOST] = {false};
  ck_assert_int_lt(topology_blocks(t), 8);
  for (int b = 0; b < topology_blocks(t); b++) {
    first[b] = sites;
    ck_assert_int_eq((int)t->first[b], lanes);
    lanes += t->lanes[b];
    sites += t->lanes[b] * t->block[b]->nsite;
  }
  ck_assert_int_le(sites, MOST);
  for (int k = 0; k < t->nsort; k++)
    for (int i = 0; i < t->sort[k].nmol * t->sort[k].nsite; i++) {
      const TopologySort *const sort = &t->sort[k];
      const int m = i / sort->nsite, site = i % sort->nsite;
      const TopologyAtom *const at = &sort->atom[site];
      if (at->group < 0) {
        ck_assert_int_ge(site, sort->kind->nsite);
        continue;
      }
      const TopologyGroup *const group = &sort->group[at->group];
      const int own = group->first + m * group->step, lane = (int)t->first[group->block] + own;
      ck_assert_int_lt(own, t->lanes[group->block]);
      ck_assert_ptr_eq(t->group[lane], group);
      ck_assert_int_eq(group->atom[at->site], site);
      ck_assert_int_eq(t->molecule[lane], sort->first + m);
      bool *const there = &seen[first[group->block] + own * group->kind->nsite + at->site];
      ck_assert(!*there);
      *there = true;
      n++;
    }
  ck_assert_int_eq(n, sites);
}

static void check_file(const Topology *t, const Groups *g)
{
  ck_assert_int_eq(t->nsort, g->molecules->ncount);
  for (int k = 0; k < t->nsort; k++) {
    const TopologySort *const sort = &t->sort[k];
    const GroupsMolecule *const of = &g->molecule[g->molecules->count[k].molecule];
    const Molecule *const m = of->molecule;
    ck_assert_int_eq(sort->nsite, m->natom);
    ck_assert_int_eq(sort->nvirtual, m->nvirtual);
    for (int i = 0; i < sort->nsite; i++) {
      const MoleculesAtom *const atom = &m->atom[topology_file(sort, i)];
      ck_assert_int_eq(of->site[topology_file(sort, i)], i);
      ck_assert_double_eq(atom->mass, i < sort->kind->nsite ? sort->kind->mass[i] : 0.0);
      ck_assert_double_eq(atom->charge, sort->charge[i]);
      ck_assert_int_eq(atom->type, sort->type[i]);
    }
    for (int v = 0; v < sort->nvirtual; v++) {
      const VirtualSite *const site = &sort->virtual[v];
      ck_assert_int_eq(site->site, sort->kind->nsite + v);
      ck_assert_int_eq(topology_file(sort, site->site), m->site[v].site);
      ck_assert_str_eq(sort->virtual_name[v], m->atom[m->site[v].site].name);
      for (int p = 0; p < virtual_site_types[site->kind].nparent; p++) {
        ck_assert_int_lt(site->parent[p], site->site);
        ck_assert_int_eq(topology_file(sort, site->parent[p]), m->site[v].parent[p]);
      }
    }
    for (int e = 0; e < 2 * sort->nexcluded; e++)
      ck_assert_int_eq(topology_file(sort, sort->excluded[e / 2][e % 2]), m->exclusion[e / 2].atom[e % 2]);
  }
}

/* Rows of forces follow lanes and sites. */
static void check_rows(const AtomsInput *input, const State *view)
{
  Atoms *atoms;
  const Topology *const t = input->topology;
  fine(atoms_create(&atoms, input, view, &error));
  for (int b = 0, lane = 0, row = 0; b < topology_blocks(t); b++)
    for (int i = 0; i < t->lanes[b]; i++, lane++)
      for (int s = 0; s < (b == input->water ? 1 : t->block[b]->nsite); s++, row++) {
        const TopologySort *sort = t->sort;
        while (t->molecule[lane] >= sort->first + sort->nmol)
          sort++;
        const int site = t->group[lane]->atom[s];
        char words[ATOMS_WORDS], number[32];
        snprintf(number, sizeof number, "atom %d (", topology_file(sort, site) + 1);
        ck_assert_int_eq(strstr(atoms_words(atoms, row, words), number) != NULL, b != input->water);
        ck_assert_int_eq(atoms->type[row], b == input->water ? input->water_type : sort->type[site]);
        ck_assert_double_eq(atoms->charge[row], b == input->water ? 0.0 : sort->charge[site]);
      }
  atoms_free(atoms);
}

/* From the file to the lanes, those of virtual sites too, and back. */
static void check_positions(const Topology *t, const Groups *g)
{
  enum { MOST = 1024 };
  static double file[MOST][3], x[MOST][3], back[MOST][3];
  const int n = (int)groups_file_atoms(g);
  RandomStream stream = random_stream(3, 0, RANDOM_TEST);
  State *state, *view;
  VirtualLanes *virtual;
  const Team team = team_alone();
  ck_assert_int_le(n, MOST);
  for (int i = 0; i < 3 * n; i++)
    file[i / 3][i % 3] = 9.0 * random_uniform(&stream);
  groups_from_file(g, (const double(*)[3])file, x);
  groups_to_file(g, true, (const double(*)[3])x, file); /* virtual sites where they belong */
  fine(topology_state(t, 1, 1, 0, &state, &error));
  topology_set(t, state, STATE_POSITIONS, 0, x[0]);
  fine(virtual_lanes_create(&virtual, t, state, isa(), &error));
  fine(virtual_lanes_place(virtual, &team, state, &view, &error));
  ck_assert_int_eq(view->nblock, topology_blocks(t));
  for (int k = 0, begin = 0; k < t->nsort; begin += t->sort[k].nmol * t->sort[k].nsite, k++)
    for (int i = 0; i < t->sort[k].nmol * t->sort[k].nsite; i++) {
      const TopologySort *const sort = &t->sort[k];
      const int m = i / sort->nsite, site = i % sort->nsite;
      const TopologyAtom *const at = &sort->atom[site];
      if (at->group < 0)
        continue;
      const TopologyGroup *const group = &sort->group[at->group];
      const Block *const block = &view->block[group->block];
      for (int d = 0; d < 3; d++)
        ck_assert_double_le(
            fabs(*state_element(block, block->q, 1, group->first + m * group->step, 0, at->site, d) -
                 file[begin + m * sort->nsite + topology_file(sort, site)][d]),
            site < sort->kind->nsite ? 0.0 : 1e-13);
    }
  topology_get(t, state, STATE_POSITIONS, 0, x[0]);
  groups_to_file(g, true, (const double(*)[3])x, back);
  ck_assert_mem_eq(back, file, (size_t)n * sizeof *file);
  virtual_lanes_free(virtual);
  state_free(state);
}

static void check_all(const AtomsInput *input, const Groups *g)
{
  State *state;
  VirtualLanes *virtual;
  check_lanes(input->topology);
  check_file(input->topology, g);
  check_positions(input->topology, g);
  fine(topology_state(input->topology, 1, 1, 0, &state, &error));
  fine(virtual_lanes_create(&virtual, input->topology, state, isa(), &error));
  check_rows(input, virtual_lanes_view(virtual, state));
  virtual_lanes_free(virtual);
  state_free(state);
}

TEST(numbers_of_files_go_there_and_back, .rows = 4)
{
  static const GroupsKeep keep[3] = {GROUPS_NONE, GROUPS_NONE, GROUPS_NONE},
                          bonds[3] = {GROUPS_ALL_BONDS, GROUPS_ALL_BONDS, GROUPS_ALL_BONDS};
  Molecules *molecules;
  Groups *groups;
  Topology *topology;
  WaterMolecule water;
  char why[512];
  fine(molecules_file_parse(&molecules, "m.yaml", text, strlen(text), &error));
  fine(groups_create(&groups, molecules, _i % 2 == 0 ? keep : bonds, all_of, &error));
  ck_assert_int_eq(groups->molecule[0].ngroup, _i % 2 == 0 ? 2 : 1);
  water_molecule_find(groups, 1, &water, why, sizeof why);
  ck_assert_msg(water.molecule == 1, "%s", why);
  const WaterMolecule *const own = _i < 2 ? NULL : &water;
  fine(groups_topology(groups, own != NULL ? own->molecule : -1, &topology, &error));
  ck_assert_int_eq(topology->lanes[topology->nblock], own == NULL ? 5 * 2 + 11 : 5 * 2);
  const AtomsInput input = atoms_input(groups, topology, own);
  check_all(&input, groups);
  topology_free(topology);
  groups_free(groups);
  molecules_free(molecules);
}

TEST(numbers_of_built_in_types_go_there_and_back, .rows = 5)
{
  static const char *const system[][2] = {
      {"model: tip4p, molecules: 3", "geometry: {method: settle}"},
      {"model: tip5p, molecules: 120, atoms: {Na+: 3, Cl-: 2}, box: 16 A",
       "geometry: {method: settle}\nforces: {cutoff: 7 A}"},
      {"atoms: {argon: 24, krypton: 7}, box: 22 A", "forces: {cutoff: 7 A}"},
      {"model: tip3p, molecules: 6, atoms: {Na+: 1}", "geometry: {method: settle}"},
      {"molecules: {tip4p2005: 4, tip3p: 3}", ""}};
  char input[512];
  snprintf(input, sizeof input,
           "system: {%s}\n%s\nintegrator: {timestep: 1 fs, steps: 1}\n"
           "thermostat: {temperature: 100 K, friction: 1/ps}\n",
           system[_i][0], system[_i][1]);
  Simulation *s;
  fine(simulation_parse(&s, "case.yaml", input, NULL, 0, &error));
  check_all(&system_molecules(s)->atoms, system_molecules(s)->groups);
  simulation_free(s);
}
