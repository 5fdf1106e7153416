/* All keys of the input file. */
#include "config/config_plan.h"
#include "config/config_private.h"
#include "forcefields/water.h"
#include "integrators/accel.h"
#include "integrators/composition.h"
#include "integrators/constraints.h"

static const char *model_name(int i) { return water_models[i].name; }

static const char *accel_name(int i) { return accel_maps[i] != NULL ? accel_maps[i]->name : NULL; }

static int constraint_rows(void)
{
  int n = 0;
  while (constraint_methods[n] != NULL)
    n++;
  return n;
}

static const char *method_name(int i)
{
  if (i == GEOMETRY_PENALTY)
    return "penalty";
  if (i == 1 + constraint_rows())
    return "none";
  return i <= constraint_rows() ? constraint_methods[i - 1]->name : NULL;
}

static const char *solver_name(int i)
{
  if (i == 0)
    return "auto";
  return constraint_solvers[i - 1] != NULL ? constraint_solvers[i - 1]->name : NULL;
}

int config_table_no_method(void) { return 1 + constraint_rows(); }

static const char *composition_name(int i) { return i == 0 ? "none" : composition_table[i - 1].name; }

static const char *step_name(int i)
{
  const Method *method = config_plan_method_row(i);
  return method != NULL ? method->name : NULL;
}

/* In the order of the enumerations in config/config.h and above. */
#define NAMES(...)                                                                                           \
  .names = (const char *const[]) { __VA_ARGS__, NULL }

#define FIELD(name) .offset = offsetof(Draft, name)

#define NO_PRESSURE_COUPLING                                                                                 \
  "constant pressure is missing here: a box keeps the size that system.box or system.density gives it"
#define NO_TOPOLOGY                                                                                          \
  "only water, ions and noble gases (system.model, system.atoms) are here; others: docs/mechanics.md"
#define NO_BIAS "biased and restrained dynamics is missing here"

/* Sections and keys of other programs, and what becomes of them here. */
static const char *const absent[] = {"barostat",
                                     NO_PRESSURE_COUPLING,
                                     "pcoupl",
                                     NO_PRESSURE_COUPLING,
                                     "ref_p",
                                     NO_PRESSURE_COUPLING,
                                     "npt",
                                     NO_PRESSURE_COUPLING,
                                     "tau_p",
                                     NO_PRESSURE_COUPLING,
                                     "compressibility",
                                     NO_PRESSURE_COUPLING,
                                     "topology",
                                     NO_TOPOLOGY,
                                     "forcefield",
                                     NO_TOPOLOGY,
                                     "force_field",
                                     NO_TOPOLOGY,
                                     "pull",
                                     NO_BIAS,
                                     "umbrella",
                                     NO_BIAS,
                                     "metadynamics",
                                     NO_BIAS,
                                     "plumed",
                                     NO_BIAS,
                                     "restraints",
                                     NO_BIAS,
                                     "gpu",
                                     "the GPU is not used here",
                                     "device",
                                     "the GPU is not used here",
                                     "tcoupl",
                                     "here it is thermostat.type",
                                     "tau_t",
                                     "here it is thermostat.friction, a rate: 1 over that time",
                                     "ref_t",
                                     "here it is thermostat.temperature",
                                     "gen_vel",
                                     "here it is thermostat.initial",
                                     "dt",
                                     "here it is integrator.timestep",
                                     "nsteps",
                                     "here it is integrator.steps",
                                     "rcoulomb",
                                     "here it is forces.cutoff",
                                     "rvdw",
                                     "here it is forces.cutoff",
                                     "rlist",
                                     "here it is forces.buffer",
                                     "nstlist",
                                     "here it is forces.lists",
                                     "ewald_rtol",
                                     "here it is forces.accuracy, of the force in kcal/mol/A",
                                     "fourierspacing",
                                     "here it is forces.grid, or better forces.accuracy, which chooses it",
                                     "pme_order",
                                     "here it is forces.order",
                                     "constraint_algorithm",
                                     "here it is geometry.method",
                                     "lincs",
                                     "here constraints are kept by geometry.method: settle, shake or rattle",
                                     NULL};

const Parameter config_table[] = {
    {"title", PARAMETER_STRING, FIELD(config.title), .fallback = "", .help = "Goes into the outputs."},
    {"units", PARAMETER_CHOICE, FIELD(units), NAMES("akma", "reduced"), .fallback = "akma", .unitless = 2,
     .help = "Unit system of bare numbers, akma: A, g/mol, kcal/mol, 48.88821 fs, temperatures in K; reduced "
             "(mechanical systems): pure numbers, temperatures as kT."},
    {"seed", PARAMETER_INT64, FIELD(config.seed), .limits = LIMIT_FROM, .min = 0, .fallback = "1",
     .help = "Of all random numbers; a run is a function of its input file and its seed."},
    {"precision", PARAMETER_CHOICE, FIELD(config.precision), NAMES("double", "mixed"), .optional = true,
     .help = "mixed: forces between molecules in single precision, everything else in double. By default "
             "mixed in periodic boxes, else double."},

    {"system.model", PARAMETER_NAME, FIELD(config.system.model), .name = model_name, .optional = true,
     .help = "Water model; or else system.sites or system.hamiltonian, a mechanical system. A periodic box "
             "may do without, see system.atoms."},
    {"system.molecules", PARAMETER_INT, FIELD(config.system.molecules), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 1e8, .optional = true,
     .help = "Their number; needed unless they come from a file, or from box and density."},
    {"system.atoms", PARAMETER_MAP, FIELD(config.system.atoms), .optional = true,
     .help = "In a periodic box, single atoms beside the water or without it: 'Na+: 8' and so on, a species "
             "and how many; 'holonom list' has them."},
    {"system.box", PARAMETER_STRINGS, FIELD(box), .optional = true,
     .wanted = "a length, three of them, [a, b, c], or file",
     .help = "Makes the system a periodic one: the lengths of its box (one for a cube), or file: those of "
             "the start file."},
    {"system.density", PARAMETER_REAL, FIELD(config.system.density), QUANTITY_DENSITY, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true,
     .help = "Of a built periodic box: with molecules it gives the box, with a box the molecules."},
    {"system.start", PARAMETER_CHOICE, FIELD(config.system.start), NAMES("build", "file"),
     .fallback = "build",
     .help = "Start configuration: built on a lattice with random orientations, or read from a file."},
    {"system.file", PARAMETER_STRING, FIELD(config.system.file), .optional = true, .path = true,
     .help = "XYZ, PDB or GRO file to start from, relative to the input file's folder; of mechanical systems "
             "a table (CSV) of start values by the names of trajectory.csv, a row for each replica."},
    {"system.frame", PARAMETER_STRING, FIELD(frame), .optional = true,
     .help = "Of a start file with several frames: last, a number from 0, or each: one for every replica. "
             "Needed, unless there are as many frames as replicas."},
    {"system.spacing", PARAMETER_REAL, FIELD(config.system.spacing), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "3.1", .help = "Distance of neighbours on the lattice."},
    {"system.seed", PARAMETER_INT64, FIELD(config.system.seed), .limits = LIMIT_FROM, .min = 0,
     .fallback = "1",
     .help = "Of the built start; apart from seed, so that runs with other noise start alike."},
    {"system.minimise", PARAMETER_BOOL, FIELD(config.system.minimise), .optional = true,
     .help = "Move the start downhill, as rigid bodies, to a minimum of the energy (boxes: until no force is "
             "large); by default a built start, but not one from a file."},
    {"system.centre", PARAMETER_BOOL, FIELD(config.system.centre), .optional = true,
     .help = "Move a cluster from a file so that its centre of mass is at the origin, where a wall has its "
             "middle; by default not."},
    {"system.anneal", PARAMETER_BOOL, FIELD(config.system.anneal), .fallback = "true",
     .help =
         "Before that, cool up to 64 replicas of a built start and take the lowest; in large clusters and "
         "short runs fewer, for fewer steps. The start is kept in the run's folder: see run --start."},
    {"system.mass_O", PARAMETER_REAL, FIELD(config.system.mass_O), QUANTITY_MASS, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "15.9994", .help = "Mass of an oxygen."},
    {"system.mass_H", PARAMETER_REAL, FIELD(config.system.mass_H), QUANTITY_MASS, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "1.008", .help = "Mass of a hydrogen."},
    {"system.wall.radius", PARAMETER_REAL, FIELD(config.system.wall_radius), QUANTITY_LENGTH,
     .limits = LIMIT_FROM, .min = 0, .fallback = "0",
     .help = "Of a spherical half-harmonic wall that holds the cluster together; 0: no wall."},
    {"system.wall.stiffness", PARAMETER_REAL, FIELD(config.system.wall_stiffness), QUANTITY_STIFFNESS,
     .limits = LIMIT_ABOVE, .min = 0, .fallback = "10", .help = "Of the wall."},

    {"system.dimensions", PARAMETER_INT, FIELD(config.system.dimensions), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 3, .optional = true, .help = "Of the space that sites move in."},
    {"system.constants", PARAMETER_MAP, FIELD(config.system.constants), .optional = true,
     .help = "Names for the formulas below; each may use those above it."},
    {"system.sites", PARAMETER_RECORDS, FIELD(config.system.sites), .optional = true,
     .record = config_mechanics_site, .size = sizeof(ConfigSite), .help = "Sites of a mechanical system."},
    {"system.constraints", PARAMETER_RECORDS, FIELD(config.system.constraints), .optional = true,
     .record = config_mechanics_constraint, .size = sizeof(ConfigTerm),
     .help = "Constraints g = 0 of a mechanical system."},
    {"system.potentials", PARAMETER_RECORDS, FIELD(config.system.potentials), .optional = true,
     .record = config_mechanics_potential, .size = sizeof(ConfigTerm),
     .help = "Its potential energy, a sum."},
    {"system.hamiltonian", PARAMETER_STRING, FIELD(config.system.hamiltonian), .optional = true,
     .help = "In place of sites: H as a formula in q1, q2, ..., p1, p2, ..."},
    {"system.position", PARAMETER_STRINGS, FIELD(config.system.position),
     .wanted = "a list of numbers or formulas, [a, b, ...]", .optional = true,
     .help = "With a Hamiltonian: the first q1, q2, ..."},
    {"system.momentum", PARAMETER_STRINGS, FIELD(config.system.momentum),
     .wanted = "a list of numbers or formulas, [a, b, ...]", .optional = true,
     .help = "With a Hamiltonian: the first p1, p2, ..., zero by default."},
    {"system.project", PARAMETER_BOOL, FIELD(config.system.project), .fallback = "false",
     .help = "Move a start that violates the constraints onto them, along M^-1 grad g; momenta too."},

    {"forces.cutoff", PARAMETER_REAL, FIELD(config.forces.cutoff), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "9", .help = "Of the short-range forces of periodic boxes, at most half a side."},
    {"forces.by", PARAMETER_CHOICE, FIELD(forces_by), NAMES("molecule", "atom"), .fallback = "molecule",
     .help = "What the cutoff is between: oxygens of waters (the faster way), or each two sites, as in other "
             "programs."},
    {"forces.truncation", PARAMETER_CHOICE, FIELD(config.forces.truncation),
     NAMES("plain", "shift", "switch", "switch-pairs", "auto"), .fallback = "auto",
     .help =
         "Lennard-Jones at the cutoff: cut off, its energy shifted to zero, or switched off smoothly; or "
         "whole pairs of waters, charges too, are switched off (conserves energy strictly). auto: plain with "
         "a thermostat; without one switch-pairs, or switch where there is more than water by molecules and "
         "PME."},
    {"forces.switch", PARAMETER_REAL, FIELD(config.forces.switch_width), QUANTITY_LENGTH,
     .limits = LIMIT_ABOVE, .min = 0, .optional = true,
     .help = "Width of the switch, inwards from the cutoff; by default 1 A."},
    {"forces.tail", PARAMETER_BOOL, FIELD(config.forces.tail), .fallback = "true",
     .help = "Correct energy and pressure for Lennard-Jones beyond the cutoff, as if all were even there."},
    {"forces.coulomb", PARAMETER_CHOICE, FIELD(config.forces.coulomb),
     NAMES("pme", "ewald", "reaction-field", "cutoff"), .fallback = "pme",
     .help = "Charges beyond the cutoff: particle-mesh Ewald, the plain Ewald sum (slow, for reference), an "
             "even medium, or nothing."},
    {"forces.accuracy", PARAMETER_REAL, FIELD(config.forces.accuracy), .limits = LIMIT_ABOVE, .min = 0,
     .fallback = "0.0145",
     .help =
         "RMS error of a site's force (the vector) that the Ewald sum may have, kcal/mol/A; what beta, order "
         "and grid are chosen for. With 0.0145 the pressure is within 2 bar and the energy within 1e-4 of "
         "the "
         "converged sum's in the mean over a run of water, with others in proportion; check --forces "
         "measures "
         "all three. GROMACS's usual settings give forces to about 0.02."},
    {"forces.beta", PARAMETER_REAL, FIELD(config.forces.beta), .limits = LIMIT_ABOVE, .min = 0,
     .optional = true, .help = "Splitting of the Ewald sum, 1/A; by default chosen."},
    {"forces.order", PARAMETER_INT, FIELD(config.forces.order), .limits = LIMIT_FROM | LIMIT_TO, .min = 4,
     .max = 6, .optional = true, .help = "Of the mesh's splines; by default chosen."},
    {"forces.grid", PARAMETER_REALS, FIELD(config.forces.grid), .limits = LIMIT_FROM | LIMIT_TO, .min = 8,
     .max = 1024, .optional = true, .help = "Points of the mesh, one number or three; by default chosen."},
    {"forces.permittivity", PARAMETER_REAL, FIELD(config.forces.permittivity), .limits = LIMIT_FROM, .min = 1,
     .optional = true, .help = "Of the even medium of coulomb: reaction-field; by default a conductor."},
    {"forces.lists", PARAMETER_CHOICE, FIELD(config.forces.lists), NAMES("strict", "fast"),
     .fallback = "strict",
     .help =
         "Neighbour lists made again as soon as a pair could be missed, or after a fixed number of steps, "
         "such that energy drifts by no more than forces.drift."},
    {"forces.buffer", PARAMETER_REAL, FIELD(config.forces.buffer), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .help = "How far lists reach beyond the cutoff; by default chosen."},
    {"forces.drift", PARAMETER_REAL, FIELD(config.forces.drift), .limits = LIMIT_ABOVE, .min = 0,
     .fallback = "1e-4", .help = "Of fast lists, kT per ns and degree of freedom."},
    {"forces.wisdom", PARAMETER_STRING, FIELD(config.forces.wisdom), .optional = true, .path = true,
     .help = "A file with FFTW's measurements, made if it is not there: faster meshes, whose last bits hang "
             "on the file. By default FFTW estimates."},

    {"geometry.method", PARAMETER_CHOICE, FIELD(config.geometry.method), .name = method_name,
     .optional = true,
     .help = "What keeps the molecules' shape: a stiff potential, or constraints by a method of that name."},
    {"geometry.w", PARAMETER_REAL, FIELD(config.geometry.w), QUANTITY_PENALTY, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true,
     .help = "Penalty strength: the potential is 1/2 w^2 |g|^2; needed with penalties only."},
    {"geometry.hessian", PARAMETER_CHOICE, FIELD(config.geometry.hessian), NAMES("full", "gauss-newton"),
     .fallback = "gauss-newton",
     .help = "Hessian of the penalties in the Zhang-Skeel maps: the paper's, or without its second "
             "derivatives of g (stable for any w)."},
    {"geometry.solver", PARAMETER_NAME, FIELD(config.geometry.solver), .name = solver_name,
     .fallback = "auto", .help = "Of iterated constraints; auto: by the method and the system's structure."},
    {"geometry.tolerance", PARAMETER_REAL, FIELD(config.geometry.tolerance),
     .limits = LIMIT_ABOVE | LIMIT_BELOW, .min = 0, .max = 1, .fallback = "1e-12",
     .help = "Largest relative error of a squared distance that iterated constraints leave."},
    {"geometry.max_iterations", PARAMETER_INT, FIELD(config.geometry.max_iterations),
     .limits = LIMIT_FROM | LIMIT_TO, .min = 1, .max = 1e6, .fallback = "50",
     .help = "Of iterated constraints; not converging is an error."},

    {"geometry.fixman", PARAMETER_BOOL, FIELD(config.geometry.fixman), .optional = true,
     .help = "Add Fixman's potential 1/2 kT ln det(J M^-1 J'), by default not: constraints then sample like "
             "very stiff springs (mechanical systems)."},

    {"integrator.word", PARAMETER_STRING, FIELD(config.integrator.word), .fallback = "BABO",
     .help = "A step as a word, of letters or by its name: 'holonom list letters' and 'holonom list words'."},
    {"integrator.weights", PARAMETER_REALS, FIELD(config.integrator.weights), .optional = true,
     .help = "Each letter's share of the time step; by default letters of one kind share it evenly."},
    {"integrator.acceleration", PARAMETER_NAME, FIELD(config.integrator.acceleration), .name = accel_name,
     .optional = true, .rival = "integrator.method",
     .help = "What B kicks with; by default zss with penalties, verlet with constraints."},
    {"integrator.method", PARAMETER_NAME, FIELD(config.integrator.method), .name = step_name,
     .optional = true, .rival = "integrator.acceleration",
     .help = "A step that is no word of A and B: what the letter H does (mechanical systems)."},
    {"integrator.base", PARAMETER_NAME, FIELD(config.integrator.base),
     NAMES("symplectic-euler", "stormer-verlet", "midpoint"), .optional = true,
     .help = "Of the geometric methods: the scheme underneath."},
    {"integrator.search.trials", PARAMETER_INT, FIELD(config.integrator.search.trials),
     .limits = LIMIT_FROM | LIMIT_TO, .min = 0, .max = 65535, .optional = true,
     .help = "Of the method kinematic-search, a step; by default 100. 0: SHAKE alone."},
    {"integrator.search.amplitude", PARAMETER_REAL, FIELD(config.integrator.search.amplitude),
     .limits = LIMIT_ABOVE, .min = 0, .optional = true,
     .help = "Standard deviation of a step's first trial; by default 0.01."},
    {"integrator.search.velocity", PARAMETER_REAL, FIELD(config.integrator.search.velocity),
     .limits = LIMIT_FROM, .min = 0, .optional = true,
     .help = "Weight of squared angular velocities of the joints; by default 1."},
    {"integrator.search.acceleration", PARAMETER_REAL, FIELD(config.integrator.search.acceleration),
     .limits = LIMIT_FROM, .min = 0, .optional = true,
     .help = "Weight of squared angular accelerations; by default 0."},
    {"integrator.composition", PARAMETER_NAME, FIELD(config.integrator.composition), .name = composition_name,
     .fallback = "none", .help = "Higher order by composition of a symmetric step."},
    {"integrator.tolerance", PARAMETER_REAL, FIELD(config.integrator.tolerance),
     .limits = LIMIT_ABOVE | LIMIT_BELOW, .min = 0, .max = 1, .fallback = "1e-12",
     .help = "Of nonlinear solves (newmark, methods), relative."},
    {"integrator.max_iterations", PARAMETER_INT, FIELD(config.integrator.max_iterations),
     .limits = LIMIT_FROM | LIMIT_TO, .min = 1, .max = 1e6, .fallback = "50",
     .help = "Of nonlinear solves; not converging is an error."},
    {"integrator.beta", PARAMETER_REAL, FIELD(config.integrator.beta), .limits = LIMIT_FROM, .min = 0,
     .fallback = "0.4", .help = "Newmark's beta in the Zhang-Skeel maps; at least 1/4."},
    {"integrator.timestep", PARAMETER_REAL, FIELD(config.integrator.timestep), QUANTITY_TIME,
     .limits = LIMIT_ABOVE, .min = 0, .help = "Length of a step."},
    {"integrator.time", PARAMETER_REAL, FIELD(time), QUANTITY_TIME, .limits = LIMIT_ABOVE, .min = 0,
     .rival = "integrator.steps", .adjustable = true, .help = "Total time, equilibration included."},
    {"integrator.steps", PARAMETER_INT64, FIELD(config.integrator.steps), .limits = LIMIT_FROM, .min = 1,
     .rival = "integrator.time", .adjustable = true,
     .help = "Total number of steps, equilibration included."},

    {"thermostat.type", PARAMETER_CHOICE, FIELD(thermostat), NAMES("none", "langevin"),
     .fallback = "langevin", .help = "langevin: the letter O of the word; none: constant energy."},
    {"thermostat.temperature", PARAMETER_REAL, FIELD(config.thermostat.kT), QUANTITY_TEMPERATURE,
     .limits = LIMIT_ABOVE, .min = 0, .optional = true, .rival = "thermostat.inverse_temperature",
     .help = "Of the thermostat and of the first momenta."},
    {"thermostat.inverse_temperature", PARAMETER_REAL, FIELD(inverse_temperature), .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .rival = "thermostat.temperature", .help = "1/kT in mol/kcal."},
    {"thermostat.friction", PARAMETER_REAL, FIELD(config.thermostat.friction), QUANTITY_FREQUENCY,
     .alternative = QUANTITY_FRICTION, .limits = LIMIT_FROM, .min = 0, .optional = true,
     .help = "A rate with the convention mass, a coefficient with the convention uniform."},
    {"thermostat.convention", PARAMETER_CHOICE, FIELD(config.thermostat.convention), NAMES("uniform", "mass"),
     .fallback = "mass",
     .help = "uniform: a site of mass m relaxes at friction/m (the paper's), with constraints by a midpoint "
             "rule; mass: every site at friction, exactly."},
    {"thermostat.noise", PARAMETER_CHOICE, FIELD(noise), NAMES("all", "tangent"), .optional = true,
     .help =
         "With penalties: noise on all momenta (default), or only along the manifold g = 0, with friction "
         "on all. Constraints always have tangent."},
    {"thermostat.remove", PARAMETER_CHOICE, FIELD(config.thermostat.remove),
     NAMES("none", "linear", "angular"), .fallback = "none",
     .help = "Motion of the whole cluster to take out: none, of the centre of mass, or also rotation."},
    {"thermostat.initial", PARAMETER_CHOICE, FIELD(config.thermostat.initial),
     NAMES("zero", "maxwell", "file"), .fallback = "maxwell",
     .help =
         "First momenta: zero, drawn at the temperature, or from the velocities of the start file (GRO and "
         "XYZ), put onto the constraints: a box by 'holonom build' then starts warm. Replicas that begin "
         "with the same frame stay the same without noise."},

    {"ensemble.replicas", PARAMETER_INT, FIELD(config.ensemble.replicas), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 1e7, .fallback = "1",
     .help = "Independent copies from the same start, each with noise of its own. Clusters: more than one is "
             "rounded up "
             "to whole groups; periodic boxes: one thread each."},
    {"ensemble.threads", PARAMETER_INT, FIELD(config.ensemble.threads), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 0, .max = 4096, .fallback = "0", .adjustable = true,
     .help = "0: all that the machine has. Results do not depend on it."},

    {"output.equilibration", PARAMETER_REAL, FIELD(equilibration), QUANTITY_TIME, .limits = LIMIT_FROM,
     .min = 0, .fallback = "0", .help = "Time at the start that averages leave out."},
    {"output.every", PARAMETER_INT64, FIELD(config.output.every), .limits = LIMIT_FROM, .min = 1,
     .fallback = "1", .help = "Mechanical systems: steps between rows of trajectory.csv and energy.csv."},
    {"output.ensemble_every", PARAMETER_INT64, FIELD(config.output.ensemble_every), .limits = LIMIT_FROM,
     .min = 0, .optional = true,
     .help = "Mechanical systems: steps between rows of ensemble.csv, which look at all replicas; by default "
             "as output.every; 0: off, and no averages."},
    {"output.observables", PARAMETER_MAP, FIELD(config.output.observables), .optional = true,
     .help =
         "Mechanical systems: names and formulas in x1, y1, ..., px1, ... (q1, p1, ...) and t, whose means "
         "over replicas go to ensemble.csv."},
    {"output.thermo_every", PARAMETER_INT64, FIELD(config.output.thermo_every), .limits = LIMIT_FROM,
     .min = 0, .fallback = "100", .help = "Steps between energies; 0: off."},
    {"output.rdf_every", PARAMETER_INT64, FIELD(config.output.rdf_every), .limits = LIMIT_FROM, .min = 0,
     .fallback = "10", .help = "Steps between samples of the O-O distances; 0: off."},
    {"output.rdf_max", PARAMETER_REAL, FIELD(config.output.rdf_max), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .fallback = "12", .help = "End of the distribution."},
    {"output.rdf_bins", PARAMETER_INT, FIELD(config.output.rdf_bins), .limits = LIMIT_FROM | LIMIT_TO,
     .min = 1, .max = 1e5, .fallback = "600",
     .help = "Of the distribution; the default is 0.02 A each, to 12 A."},
    {"output.trajectory", PARAMETER_CHOICES, FIELD(config.output.trajectory), NAMES("xyz", "dcd"),
     .fallback = "[]", .help = "Formats of the trajectory; an empty list: none is written."},
    {"output.trajectory_every", PARAMETER_INT64, FIELD(config.output.trajectory_every), .limits = LIMIT_FROM,
     .min = 1, .fallback = "1000", .help = "Steps between frames."},
    {"output.trajectory_replica", PARAMETER_INT, FIELD(config.output.trajectory_replica),
     .limits = LIMIT_FROM, .min = 0, .fallback = "0", .help = "Which replica is written, from 0."},
    {"output.gofr_every", PARAMETER_INT64, FIELD(config.output.gofr_every), .limits = LIMIT_FROM, .min = 0,
     .fallback = "100",
     .help = "Periodic boxes: steps between samples of the radial distributions g(r); 0: off."},
    {"output.gofr_max", PARAMETER_REAL, FIELD(config.output.gofr_max), QUANTITY_LENGTH, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .help = "End of g(r); by default 12 A or half the box."},
    {"output.gofr_width", PARAMETER_REAL, FIELD(config.output.gofr_width), QUANTITY_LENGTH,
     .limits = LIMIT_ABOVE, .min = 0, .optional = true, .help = "Of a bin of g(r); by default 0.02 A."},
    {"output.msd_every", PARAMETER_INT64, FIELD(config.output.msd_every), .limits = LIMIT_FROM, .min = 0,
     .fallback = "0", .help = "Steps between samples of the mean square displacement (diffusion); 0: off."},
    {"output.msd_max", PARAMETER_REAL, FIELD(config.output.msd_max), QUANTITY_TIME, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .help = "Longest time of a displacement; by default 200 ps."},
    {"output.msd_from", PARAMETER_REAL, FIELD(config.output.msd_from), QUANTITY_TIME, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .help = "Where the fit of the diffusion begins; by default 2 ps."},
    {"output.msd_to", PARAMETER_REAL, FIELD(config.output.msd_to), QUANTITY_TIME, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .help = "Where it ends; by default 20 ps."},
    {"output.vacf_every", PARAMETER_INT64, FIELD(config.output.vacf_every), .limits = LIMIT_FROM, .min = 0,
     .fallback = "0",
     .help = "Steps between samples of the velocity autocorrelation and its spectrum; 0: off."},
    {"output.vacf_max", PARAMETER_REAL, FIELD(config.output.vacf_max), QUANTITY_TIME, .limits = LIMIT_ABOVE,
     .min = 0, .optional = true, .help = "Its longest time; by default 2 ps."},
    {"output.viscosity", PARAMETER_REAL, FIELD(config.output.viscosity), .limits = LIMIT_ABOVE, .min = 0,
     .optional = true,
     .help = "In mPa s, for the correction of diffusion for the size of the box; by default as published for "
             "tip3p, spce, tip4p at 298 K."},
    {"output.dipole_every", PARAMETER_INT64, FIELD(config.output.dipole_every), .limits = LIMIT_FROM,
     .min = 0, .fallback = "0",
     .help = "Steps between samples of the box's dipole (dielectric constant); 0: off."},
    {"output.wrap", PARAMETER_BOOL, FIELD(config.output.wrap), .fallback = "true",
     .help =
         "In frames, molecules of periodic boxes are moved into the box, whole; or left where they drift."},
    {"output.velocities", PARAMETER_BOOL, FIELD(config.output.velocities), .fallback = "false",
     .help = "Velocities in frames of XYZ files too (periodic boxes)."},
    {"output.pressure", PARAMETER_CHOICE, FIELD(pressure), NAMES("molecule", "atom", "both"),
     .fallback = "molecule",
     .help = "Pressure of periodic boxes from molecules as wholes, or from atoms with the forces of "
             "constraints or penalties; their averages are the same."},
    {"output.conserved", PARAMETER_BOOL, FIELD(config.output.conserved), .fallback = "true",
     .help =
         "Keep account of the thermostat's heat, so that energy minus heat shows the integrator's drift."},
    {"output.multipliers_every", PARAMETER_INT64, FIELD(config.output.multipliers_every),
     .limits = LIMIT_FROM, .min = 0, .fallback = "0",
     .help = "Steps between Lagrange multipliers of the first molecule (shake, penalties); 0: off."},
    {"output.multipliers_window", PARAMETER_REAL, FIELD(config.output.multipliers_window), QUANTITY_TIME,
     .limits = LIMIT_ABOVE, .min = 0, .fallback = "0.2", .help = "Running average of the multipliers."},
    {"output.checkpoint_every", PARAMETER_REAL, FIELD(config.output.checkpoint_every), .limits = LIMIT_FROM,
     .min = 0, .fallback = "600", .adjustable = true,
     .help = "Seconds of wall time between checkpoints, from which run --resume goes on, beside those of the "
             "start and "
             "of the end of equilibration; 0: only at the end."},
    {"output.progress", PARAMETER_BOOL, FIELD(config.output.progress), .fallback = "true", .adjustable = true,
     .help = "Show step, speed and time left."},
    {.key = NULL, .names = absent},
};
