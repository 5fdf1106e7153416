#include "simulation/start/start.h"

#include <stdlib.h>

void start_free(Start *start)
{
  free(start->x);
  free(start->p);
  *start = (Start){0};
}
