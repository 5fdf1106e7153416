#include "forcefields/water_molecule.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/locale.h"
#include "base/text.h"

/* Rounding of files. */
static const double slack = 1e-6;

/* A molecule that may be water, with the indices of its atoms. */
typedef struct Candidate {
  const Groups *groups;
  const GroupsMolecule *of;
  int oxygen, hydrogen[2]; /* indices of atoms in the file */
  int nsite;               /* virtual sites */
  const VirtualSite *site; /* [nsite] */
  double oh, half;         /* bond length, A; half the angle between the bonds, radians */
} Candidate;

/* Whether the molecule is one group of oxygen and two hydrogens with three constrained distances. */
static bool has_form(const Groups *g, const GroupsMolecule *of, Candidate *c)
{
  const Molecule *m = of->molecule;
  *c = (Candidate){.groups = g, .of = of, .oxygen = -1};
  if (of->nmol == 0 || of->ngroup != 1 || of->natom != 3 || !kind_is_triangle(g->kind[of->block[0]]))
    return false;
  for (int i = 0, n = 0; i < 3; i++) {
    const int atom = of->file[i];
    if (groups_hydrogen(&m->atom[atom]) && n < 2)
      c->hydrogen[n++] = atom;
    else if (strcmp(groups_symbol(&m->atom[atom]), "O") == 0)
      c->oxygen = atom;
    else
      return false;
  }
  c->nsite = m->nvirtual;
  c->site = m->site;
  return c->oxygen >= 0;
}

static const MoleculesAtom *atom_of(const Candidate *c, int atom) { return &c->of->molecule->atom[atom]; }

/* Whether a type has no Lennard-Jones with any type. */
static bool bare(const Molecules *all, int type)
{
  for (int i = 0; i < all->ntype; i++)
    if (all->dispersion[type * all->ntype + i].a != 0.0 || all->dispersion[type * all->ntype + i].c != 0.0)
      return false;
  return true;
}

/* Whether a type has -C/r^4 with any type. */
static bool induces(const Molecules *all, int type)
{
  for (int i = 0; i < all->ntype; i++)
    if (molecules_c4(all, type, i) != 0.0)
      return true;
  return false;
}

static double length_of(const Candidate *c, int a, int b)
{
  const double *x = c->of->reference[c->of->site[a]], *y = c->of->reference[c->of->site[b]];
  return hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
}

/* Position of virtual site M along the way to each hydrogen; NaN: elsewhere. */
static double along_bisector(const Candidate *c)
{
  const VirtualSite *v = c->site;
  if (v->parent[0] != c->oxygen || (v->kind != VIRTUAL_SITE_3 && v->kind != VIRTUAL_SITE_3FD))
    return (double)NAN;
  if (v->kind == VIRTUAL_SITE_3)
    return fabs(v->param[0] - v->param[1]) <= slack ? 0.5 * (v->param[0] + v->param[1]) : (double)NAN;
  const double hh = length_of(c, c->hydrogen[0], c->hydrogen[1]),
               to_middle = sqrt(c->oh * c->oh - 0.25 * hh * hh);
  return fabs(v->param[0] - 0.5) <= slack ? 0.5 * v->param[1] / to_middle : (double)NAN;
}

/* The distance of both virtual sites L from the oxygen if they are lone pairs of a model, mirror images in
 * the atoms' plane; NaN: elsewhere. */
static double to_lone_pairs(const Candidate *c)
{
  const VirtualSite *v = c->site;
  const int *h = c->hydrogen;
  for (int i = 0; i < 2; i++)
    if (v[i].kind != VIRTUAL_SITE_3OUT || v[i].parent[0] != c->oxygen ||
        (v[i].parent[1] != h[0] && v[i].parent[1] != h[1]) ||
        v[i].parent[2] != h[0] + h[1] - v[i].parent[1] || fabs(v[i].param[0] - v[0].param[0]) > slack ||
        fabs(v[i].param[1] - v[0].param[0]) > slack)
      return (double)NAN;
  const double back = -2.0 * v[0].param[0] * c->oh * cos(c->half),
               up = v[0].param[2] * c->oh * c->oh * sin(2.0 * c->half),
               down = v[1].param[2] * c->oh * c->oh * sin(2.0 * c->half),
               distance = back / cos(0.5 * WATER_LONE_PAIRS * M_PI / 180.0);
  const bool mirrored = fabs(v[0].parent[1] == v[1].parent[1] ? up + down : up - down) <= slack;
  return mirrored && fabs(hypot(back, up) - distance) <= 10.0 * slack ? distance : (double)NAN;
}

static bool excludes_all(const Molecule *m) { return m->nexclusion == m->natom * (m->natom - 1) / 2; }

/* "" or the deviation from a model. */
static const char *fault_of(const Candidate *c, int most)
{
  const Molecules *all = c->groups->molecules;
  const MoleculesAtom *o = atom_of(c, c->oxygen), *h = atom_of(c, c->hydrogen[0]),
                      *g = atom_of(c, c->hydrogen[1]);
  double negative = c->nsite == 0 ? o->charge : 0.0;
  bool alike = true, other = !bare(all, h->type) || !bare(all, g->type),
       induced = induces(all, h->type) || induces(all, g->type);
  if (c->nsite > most)
    return most == 1 ? "has more than one virtual site" : "has more than two virtual sites";
  for (int i = 0; i < c->nsite; i++) {
    const MoleculesAtom *site = atom_of(c, c->site[i].site);
    other = other || !bare(all, site->type);
    induced = induced || induces(all, site->type);
    alike = alike && fabs(site->charge - atom_of(c, c->site[0].site)->charge) <= slack;
    negative += site->charge;
  }
  if (other)
    return "has Lennard-Jones on atoms other than its oxygen";
  if (induced || molecules_c4(all, o->type, o->type) != 0.0)
    return "has c4 on atoms other than its oxygen, or with its own kind";
  const MoleculesDispersion *own = &all->dispersion[o->type * all->ntype + o->type];
  if (!(own->a > 0.0 && own->c > 0.0))
    return "has no Lennard-Jones on its oxygen";
  if (fabs(h->charge - g->charge) > slack || h->mass != g->mass || fabs(negative + 2.0 * h->charge) > slack ||
      !alike || (c->nsite > 0 && o->charge != 0.0))
    return "has hydrogens of different charge or mass, or a negative charge that does not balance them";
  if (fabs(c->oh - length_of(c, c->oxygen, c->hydrogen[1])) > slack * c->oh)
    return "has bonds of different lengths";
  if (c->nsite == 1 && !(along_bisector(c) > 0.0))
    return "has a virtual site that is not on the bisector";
  if (c->nsite == 2 && !(to_lone_pairs(c) > 0.0))
    return "has two virtual sites that are not at its lone pairs";
  if (c->of->terms.n > 0 || !excludes_all(c->of->molecule))
    return "has internal terms or interacting pairs";
  return "";
}

/* Whether the group type has lanes of this molecule only. */
static bool alone(const Candidate *c)
{
  const Groups *g = c->groups;
  int lanes = 0;
  for (int m = 0; m < g->molecules->nmolecule; m++)
    if (&g->molecule[m] == c->of)
      lanes = g->molecule[m].nmol;
  return lanes == g->lanes[c->of->block[0]];
}

static WaterModel model_of(const Candidate *c)
{
  const Molecules *all = c->groups->molecules;
  const MoleculesAtom *o = atom_of(c, c->oxygen);
  const MoleculesDispersion *own = &all->dispersion[o->type * all->ntype + o->type];
  WaterModel model = {.name = c->of->molecule->name,
                      .doc = "of a file",
                      .cite = "",
                      .d_oh = c->oh,
                      .angle = 2.0 * c->half * 180.0 / M_PI,
                      .q_h = atom_of(c, c->hydrogen[0])->charge,
                      .a = own->a,
                      .c = own->c};
  if (c->nsite == 1)
    model.d_om = 2.0 * along_bisector(c) * c->oh * cos(c->half);
  if (c->nsite == 2)
    model.d_ol = to_lone_pairs(c);
  return model;
}

void water_molecule_find(const Groups *groups, int most, WaterMolecule *water, char *why, size_t size)
{
  *water = (WaterMolecule){.molecule = -1, .block = -1};
  why[0] = '\0';
  for (int m = 0; m < groups->molecules->nmolecule; m++) {
    Candidate c;
    if (!has_form(groups, &groups->molecule[m], &c))
      continue;
    c.oh = length_of(&c, c.oxygen, c.hydrogen[0]);
    c.half = asin(0.5 * length_of(&c, c.hydrogen[0], c.hydrogen[1]) / c.oh);
    const char *fault = fault_of(&c, most);
    if (fault[0] == '\0' && !alone(&c))
      fault = "has the same group type as a molecule with other charges";
    if (fault[0] != '\0')
      (void)snprintf(why, size, "%s %s", c.of->molecule->name, fault);
    else if (water->molecule < 0 || c.of->nmol > groups->molecule[water->molecule].nmol)
      *water = (WaterMolecule){m, c.of->block[0], atom_of(&c, c.oxygen)->type, model_of(&c)};
  }
}

/* Names of the oxygen, the hydrogens, M, and both L. */
typedef struct Names {
  const char *site[6];
} Names;

void water_molecule_text(const WaterModel *model, const double own[2], char *text, size_t size)
{
  static const Names names[] = {{{"OW", "HW1", "HW2", "MW", "LP1", "LP2"}},
                                {{"O", "H", "H", "M", "L1", "L2"}}};
  LOCALE_PLAIN;
  const SiteMap map = water_site_map(model);
  const double hh = water_d_hh(model),
               mass[2] = {own != NULL ? own[0] : WATER_MASS_O, own != NULL ? own[1] : WATER_MASS_H};
  const char *const end = own != NULL ? "" : "-", *const name = own != NULL ? "" : model->name;
  const char *const residue = own != NULL ? model->name : "SOL";
  const int digits = own != NULL ? 17 : 15;
  text[0] = '\0';
  text_append(text, size,
              "format: holonom-molecules 1\nrule: geometric\ntypes:\n"
              "  O%s%s: {c12: %.*g, c6: %.*g}\n  H%s%s: [0, 0]\nmolecules:\n  %s:\n    atoms:\n",
              end, name, digits, model->a, digits, model->c, end, name, model->name);
  for (int i = 0; i < map.nsite; i++)
    text_append(text, size, "      - [%s, %s%s%s, %.*g, %.*g, %s, 1]\n",
                names[own != NULL].site[i < 3 || map.nsite == 4 ? i : i + 1], i == 0 ? "O" : "H", end, name,
                digits, map.charge[i], digits, i < map.natom ? mass[i > 0] : 0.0, residue);
  text_append(text, size,
              "    constraints:\n      - [1, 2, %.*g]\n      - [1, 3, %.*g]\n      - [2, 3, %.*g]\n", digits,
              model->d_oh, digits, model->d_oh, digits, hh);
  for (int i = map.natom; i < map.nsite; i++) {
    text_append(text, size, "%s      - [%d, %s, 1, 2, 3, %.*g, %.*g", i == 3 ? "    virtual:\n" : "", i + 1,
                map.planar ? "3" : "3out", digits, map.place[i][0], digits, map.place[i][1]);
    if (!map.planar)
      text_append(text, size, ", %.*g", digits, map.place[i][2]);
    text_append(text, size, "]\n");
  }
  text_append(text, size, "    exclude: 2\n%s", map.nsite == 5 ? "    exclusions: [[4, 5]]\n" : "");
}

void water_molecule_atom_text(const AtomModel *species, char *text, size_t size)
{
  LOCALE_PLAIN;
  text[0] = '\0';
  text_append(text, size,
              "format: holonom-molecules 1\nrule: lorentz-berthelot\ntypes:\n  %s: [%.17g, %.17g]\n"
              "molecules:\n  %s:\n    atoms:\n      - [%s, %s, %.17g, %.17g, %s, 1]\n",
              species->symbol, species->sigma, species->epsilon, species->name, species->symbol,
              species->symbol, species->charge, species->mass, species->name);
}
