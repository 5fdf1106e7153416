/* What cannot be combined with biases of PLUMED. */
#include "config/config_private.h"

void config_plumed_check(const Config *c, Input *in)
{
  if (c->plumed == NULL)
    return;
  if (c->exchange.number > 0)
    input_complain(in, KEY(plumed),
                   "biases of PLUMED cannot be combined with a ladder (exchange), since PLUMED does not give "
                   "energies at other states and does not follow exchanges; remove exchange, or use biases");
  if (c->biases.n > 0)
    input_complain(in, KEY(plumed),
                   "biases of PLUMED cannot be combined with biases, whose free energies would contain them; "
                   "move the records of biases into the file of PLUMED");
  if (c->alchemy.molecules != NULL)
    input_complain(
        in, KEY(plumed),
        "biases of PLUMED cannot be combined with alchemy, whose free energies would contain them; "
        "remove one of the two");
  if (c->system.constraining_radius > 0.0)
    input_complain(in, KEY(plumed),
                   "biases of PLUMED cannot be combined with system.constraining_radius, which takes steps "
                   "back that PLUMED has counted; use system.wall.radius");
}
