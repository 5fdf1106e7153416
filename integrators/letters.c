#include "integrators/letters.h"

#include <stddef.h>

ISA_DECLARE(LetterKernels, letter_kernels_table);

const LetterKernels *letter_kernels(Isa isa)
{
  static const LetterKernels *const table[ISA_COUNT] = ISA_TABLES(letter_kernels_table);
  return isa < ISA_COUNT ? table[isa] : NULL;
}
