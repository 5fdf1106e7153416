#include "integrators/letters.h"

#include <stddef.h>

#include "engine/force.h"

const Letter letter_table[] = {
    {'A', "drift of positions; along constraints on their manifold", .moves = true},
    {'B', "kick of momenta by forces after the acceleration map", .kicks = FORCE_FAST},
    {'S', "kick of momenta by slow forces (a mesh), which B then leaves out; they are computed less often",
     .kicks = FORCE_SLOW},
    {'O',
     "Ornstein-Uhlenbeck flow of momenta, the thermostat: exact; with constraints and uniform friction, a "
     "midpoint rule on the tangent space with the exact distribution",
     .noise = true},
    {'H', "a whole step of a method (integrator.method)", .moves = true},
    {0},
};

const Letter *letter_find(char name)
{
  for (const Letter *row = letter_table; row->name != 0; row++)
    if (row->name == name)
      return row;
  return NULL;
}

ISA_DECLARE(LetterKernels, letter_kernels_table);

const LetterKernels *letter_kernels(Isa isa) { return ISA_PICK(letter_kernels_table, isa); }
