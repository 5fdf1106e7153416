#include "simulation/sort.h"

const Sort *sort_of(const Config *config)
{
  static const Sort *const table[] = {
#define SORT(name, row, ...) [SORT_##name] = &sort_##row,
#include "config/config_sorts.def"
#undef SORT
  };
  return table[config->sort];
}
