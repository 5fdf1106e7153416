/* Systems with ladders of temperatures. */
#ifndef HOLONOM_TESTS_LADDERS_H
#define HOLONOM_TESTS_LADDERS_H

/* A site on a spring, U of Gamma's law: <U> = d/2 kT; a plane rotor with U = -cos(phi), <U> = -I1/I0; a bent
 * trimer with rigid bonds, in Fixman's potential, which leaves phi uniform at every temperature. */
#define LADDER(temperatures, ladders, interval)                                                              \
  "exchange: {temperatures: " temperatures ", ladders: " #ladders ", interval: " #interval "}\n"
#define SPRING(ladder)                                                                                       \
  "units: reduced\nsystem:\n  dimensions: 3\n  sites:\n    - {mass: 1, position: [0.1, 0, 0]}\n"             \
  "  potentials:\n    - {type: formula, site: 1, formula: \"(x^2 + y^2 + z^2)/2\"}\n"                        \
  "integrator: {word: BAOAB, timestep: 0.3, time: 3600}\n"                                                   \
  "thermostat: {type: langevin, friction: 1, initial: maxwell}\nensemble: {threads: 1}\n"                    \
  "output: {thermo_every: 0, equilibration: 60}\n" ladder
#define ROTOR                                                                                                \
  "units: reduced\nsystem:\n  dimensions: 2\n  sites:\n    - {mass: 1, position: [0, -1]}\n"                 \
  "  constraints:\n    - {type: anchor, site: 1, point: [0, 0], distance: 1}\n"                              \
  "  potentials:\n    - {type: gravity, acceleration: [0, -1]}\n"                                            \
  "geometry: {method: rattle}\nintegrator: {word: BAOAB, timestep: 0.2, time: 2400}\n"                       \
  "thermostat: {type: langevin, friction: 1, initial: maxwell}\nensemble: {threads: 1}\n"                    \
  "output: {thermo_every: 0, equilibration: 60}\n" LADDER("[0.3, 0.5, 0.9, 1.6]", 40, 10)

enum { SPRINGS = 40 }; /* ladders of them */
static const char spring[] = SPRING(LADDER("[1, 1.6, 2.6, 4.2, 7]", 40, 10));
static const char rotor[] = ROTOR;
static const char water[] =
    "system: {model: tip3p, molecules: 3, anneal: false}\n"
    "geometry: {method: settle}\nintegrator: {word: BAOAB, timestep: 1 fs, steps: 400}\n"
    "thermostat: {type: langevin, friction: 5/ps}\nprecision: double\n"
    "exchange: {lowest: 60 K, highest: 90 K, number: 6, ladders: 2, interval: 10}\n";
static const char fixman[] =
    "units: reduced\nsystem:\n  dimensions: 2\n  sites:\n    - {mass: 1, position: [-1, 0]}\n"
    "    - {mass: 1, position: [0, 0]}\n    - {mass: 1, position: [0.8, 0.6]}\n"
    "  constraints:\n    - {type: distance, chain: [1, 3], distance: 1}\n"
    "geometry: {method: rattle, tolerance: 1e-10, fixman: true}\n"
    "integrator: {word: BABO, timestep: 0.075, time: 30}\n"
    "thermostat: {type: langevin, friction: 1, initial: maxwell}\nensemble: {threads: 1}\n"
    "output: {thermo_every: 0}\n"
    "exchange: {temperatures: [0.5, 1, 2], ladders: 3, interval: 5}\n";

#endif
