/* Selects and reads frames of the start file of a run. */
#ifndef HOLONOM_SIMULATION_START_START_FILE_H
#define HOLONOM_SIMULATION_START_START_FILE_H

#include "config/config.h"
#include "io/frame.h"

/* The frames that are used. */
typedef struct StartFile {
  int64_t frames;    /* number in the file; -1: not all were counted */
  int64_t first;     /* index of the first used frame, from 0 */
  int count;         /* used frames: 1, or one for each replica */
  char warning[512]; /* about an incomplete last frame, which is not used; or "" */
} StartFile;

/* Selects frames by system.frame, for the requested number of replicas and `replicas`, its multiple of whole
 * batches. STATUS_INPUT with file, line and key: the file cannot be read, system.frame does not select one of
 * several frames, or there is no such frame; STATUS_MEMORY. */
Status start_file_choose(const Config *config, int replicas, StartFile *file, Error *error);

/* Called for each used frame, i from 0; path is for messages. */
typedef Status StartFileVisit(void *self, int i, Frame *frame, const char *path, Error *error);

/* Reads the used frames in order. Errors: as above, those of visit. */
Status start_file_read(const Config *config, const StartFile *file, StartFileVisit *visit, void *self,
                       Error *error);

/* Appends ", frame 3 of 16" or similar to words[size]; nothing for a single frame. */
void start_file_words(const StartFile *file, char *words, size_t size);

#endif
