/* Checkpoints: the bytes as they are, and again with the checksum that belongs to them, so that what is
 * behind it is reached. They are never taken for this run's, unless they are. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char input[] = "system: {model: tip3p, molecules: 2, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {timestep: 0.05, steps: 10}\n"
                            "thermostat: {temperature: 50 K, friction: 0.1}\n";

static void load(const Config *config, const char *dir, const uint8_t *data, size_t size, bool sum)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", dir, CHECKPOINT_NAME);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return;
  (void)fwrite(data, 1, size, file);
  if (sum) {
    uint64_t fnv = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
      fnv = (fnv ^ data[i]) * 0x100000001b3u;
    (void)fwrite(&fnv, 1, sizeof fnv, file);
  }
  (void)fclose(file);
  double state[4] = {0};
  ChunkList chunks = {0};
  chunk_add(&chunks, state, sizeof state);
  const CheckpointOf of = {.config = config, .isa = ISA_PLAIN};
  Error error = {0};
  if (checkpoint_load(&of, dir, &chunks, &error) != STATUS_OK && error.text[0] == '\0')
    abort(); /* a failure says why */
  chunk_free(&chunks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static Config *config;
  static char dir[] = "/dev/shm/holonom-fuzz-XXXXXX";
  if (config == NULL) {
    Error error;
    if (mkdtemp(dir) == NULL || config_parse("fuzz.yaml", input, NULL, 0, &config, &error) != STATUS_OK)
      exit(1);
  }
  load(config, dir, data, size, false);
  load(config, dir, data, size, true);
  return 0;
}
