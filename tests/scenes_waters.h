/* Clusters of one water model as searches of their minima take them. */
#ifndef HOLONOM_TESTS_SCENES_WATERS_H
#define HOLONOM_TESTS_SCENES_WATERS_H

#include "forcefields/water.h"
#include "simulation/start/minima.h"

/* The topology is kept for the rest of the program. Aborts the test on failure. */
MinimaOf scenes_waters(const WaterModel *model, int nmol, uint64_t seed, int threads, Isa isa);

/* Of what scenes_waters gave: the model, and the kind of its molecules. */
const WaterModel *scenes_waters_model(const MinimaOf *of);
static inline const Kind *scenes_waters_kind(const MinimaOf *of) { return of->on.topology->block[0]; }

#endif
