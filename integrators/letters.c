#include "integrators/letters.h"

#include <stddef.h>

#include "engine/force.h"

const Letter letter_table[] = {
    {'A', "drift of positions; along constraints on their manifold", .moves = true},
    {'B', "kick of momenta by what the acceleration map makes of forces", .kicks = FORCE_FAST},
    {'S',
     "kick of momenta by slow forces (a mesh), which B then leaves out: they are taken less often than the "
     "rest",
     .kicks = FORCE_SLOW},
    {'O',
     "Ornstein-Uhlenbeck flow of momenta, the thermostat: exact, but with constraints and uniform friction a "
     "midpoint rule on the tangent space, whose distribution is exact",
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
