/* Checks restraints that are walls. */
#include "config/config_private.h"

int config_walls(const Input *in, int i)
{
  return (input_given(in, input_record(KEY(restraints), i, "above")) ? WALL_ABOVE : 0) |
         (input_given(in, input_record(KEY(restraints), i, "below")) ? WALL_BELOW : 0);
}

void config_walls_check(Input *in, int i, const ConfigRestraint *record)
{
  static const char *const others[] = {"flat", "file", "scale"};
  const int walls = config_walls(in, i);
  const InputKey key = input_record(KEY(restraints), i, walls & WALL_ABOVE ? "above" : "below");
  if (walls == 0)
    return;
  if (record->coordinate > 0)
    input_complain(
        in, key,
        "walls act on each atom, and not on a coordinate; wanted: no coordinate, or no above and below");
  if (walls == (WALL_ABOVE | WALL_BELOW) && !(record->below < record->above))
    input_complain(in, key, "atoms have no room between the walls; wanted: above greater than below");
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (input_given(in, input_record(KEY(restraints), i, others[k])))
      input_complain(in, input_record(KEY(restraints), i, others[k]),
                     "applies to points, and not to walls (above, below); remove one of the two");
  if (record->k.n != 1)
    input_complain(in, input_record(KEY(restraints), i, "k"), "has %d numbers; walls have one", record->k.n);
}
