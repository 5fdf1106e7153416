/* The rows of the gallery, each from its own file. */
#ifndef HOLONOM_GALLERY_EXHIBITS_H
#define HOLONOM_GALLERY_EXHIBITS_H

#include "gallery/exhibit.h"

extern const Exhibit exhibit_bulk_water;
extern const Exhibit exhibit_water, exhibit_circle, exhibit_curves, exhibit_surfaces;
extern const Exhibit exhibit_constrained_hamiltonians;
extern const Exhibit exhibit_double_pendulum;
extern const Exhibit exhibit_trimer, exhibit_kramers, exhibit_robot_arm;
extern const Exhibit exhibit_dna;
extern const Exhibit exhibit_four_particles, exhibit_rigid_body;
extern const Exhibit exhibit_chain, exhibit_triple_pendulum;

#endif
