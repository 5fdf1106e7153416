#include <math.h>

#include "forcefields/pme_private.h"

int pme_choose_size(double least)
{
  static const int sizes[] = {8,   10,  12,  14,  16,  18,  20,  24,  28,  32,  36,  40,  48,  54,  60,  64,  72,
                              80,  90,  96,  100, 108, 112, 120, 128, 144, 160, 180, 192, 200, 216, 240, 256,
                              288, 320, 360, 384, 400, 432, 480, 512, 576, 640, 720, 768, 800, 864, 960, 1024};
  for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++)
    if (sizes[i] >= least)
      return sizes[i];
  return 0;
}
