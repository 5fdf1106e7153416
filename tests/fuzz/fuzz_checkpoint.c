/* Checkpoints: the bytes as they are, again with the checksum that belongs to them, and as changes of a
 * good checkpoint (records of 4 bytes: where, 2 bytes, what, and 1 to cut the file there), so that what is
 * behind the checksum and behind the head is reached. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/manifest.h"
#include "simulation/parts/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char input[] = "system: {model: tip3p, molecules: 2, anneal: false}\n"
                            "geometry: {method: settle}\n"
                            "integrator: {timestep: 0.05, steps: 10}\n"
                            "thermostat: {temperature: 50 K, friction: 0.1}\n";

static char dir[] = "/dev/shm/holonom-fuzz-XXXXXX", path[128];
static Config *config;
static uint8_t good[1 << 16]; /* a checkpoint of this input, without its checksum */
static size_t good_size;

static void leave(void)
{
  static const char *const names[] = {CHECKPOINT_NAME, CHECKPOINT_PREVIOUS, CHECKPOINT_NEXT, NULL};
  (void)manifest_clear(dir, &(ManifestNames){.file = names}, NULL);
  (void)rmdir(dir);
  config_free(config);
}

/* The seeds are this build's: a form of checkpoint that the target does not know cannot remain unnoticed. */
static bool prepare(void)
{
  Error error;
  double state[4] = {1, 2, 3, 4};
  ChunkList chunks = {0};
  if (mkdtemp(dir) == NULL || config_parse("fuzz.yaml", input, NULL, 0, &config, &error) != STATUS_OK)
    return false;
  (void)atexit(leave);
  (void)snprintf(path, sizeof path, "%s/%s", dir, CHECKPOINT_NAME);
  chunk_add(&chunks, state, sizeof state);
  const CheckpointOf of = {.config = config, .isa = ISA_PLAIN};
  bool fine = checkpoint_save(&of, dir, 5, &chunks, &error) == STATUS_OK &&
              checkpoint_load(&of, dir, &chunks, &error) == STATUS_OK;
  chunk_free(&chunks);
  FILE *file = fine ? fopen(path, "rb") : NULL;
  if (file == NULL)
    return false;
  good_size = fread(good, 1, sizeof good, file);
  fine = feof(file) && good_size > sizeof(uint64_t);
  good_size -= sizeof(uint64_t);
  (void)fclose(file);
  return fine;
}

static void load(const uint8_t *data, size_t size, bool sum, bool other_build)
{
  FILE *file = fopen(path, "wb");
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
  const CheckpointOf of = {.config = config, .isa = ISA_PLAIN, .other_build = other_build};
  Error error = {0};
  if (checkpoint_load(&of, dir, &chunks, &error) != STATUS_OK && error.text[0] == '\0')
    abort(); /* a failure says why */
  chunk_free(&chunks);
}

static void load_changed(const uint8_t *data, size_t size)
{
  static uint8_t changed[sizeof good];
  size_t length = good_size;
  memcpy(changed, good, good_size);
  for (size_t i = 0; i + 4 <= size; i += 4) {
    const size_t at = (data[i] | (size_t)data[i + 1] << 8) % good_size;
    if (data[i + 3] == 1)
      length = at;
    else
      changed[at] = data[i + 2];
  }
  load(changed, length, true, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (config == NULL && !prepare()) {
    (void)fputs("no good checkpoint can be made\n", stderr);
    abort();
  }
  load(data, size, false, false);
  load(data, size, true, false);
  load_changed(data, size);
  return 0;
}
