/* Parts of the double pendulum's exhibit. Each runs what it shows, draws, and claims. */
#ifndef HOLONOM_GALLERY_DOUBLE_PENDULUM_H
#define HOLONOM_GALLERY_DOUBLE_PENDULUM_H

#include "gallery/exhibit.h"

/* w^2 g and the largest |g| over w: Fig. 2a. */
Status double_pendulum_strengths(Page *page, Error *error);

/* Multipliers by SHAKE and from penalties: Fig. 2b. */
Status double_pendulum_multipliers(Page *page, Error *error);

/* Of many starts around the paper's, how many break a rod in coarse steps. */
Status double_pendulum_robustness(Page *page, Error *error);

/* A Poincare section with regular and chaotic orbits. */
Status double_pendulum_section(Page *page, Error *error);

#endif
