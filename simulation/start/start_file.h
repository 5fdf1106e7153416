/* The start file of a run: which of its frames are taken. */
#ifndef HOLONOM_SIMULATION_START_START_FILE_H
#define HOLONOM_SIMULATION_START_START_FILE_H

#include "config/config.h"
#include "io/frame.h"

/* What is taken of a file. */
typedef struct StartFile {
  int64_t frames;    /* that the file holds; -1: more than were looked at        */
  int64_t first;     /* the number of the first frame taken, from 0              */
  int count;         /* frames taken: 1, or one for each replica                 */
  char warning[512]; /* of a last frame that was cut short and left out, or ""   */
} StartFile;

/* Chooses by system.frame, for a run of so many replicas (asked for, and as they are rounded up to groups).
 * STATUS_INPUT with file, line and key: a file that cannot be read, several frames with nothing said about
 * which, no such frame; STATUS_MEMORY. */
Status start_file_choose(const Config *config, int replicas, StartFile *file, Error *error);

/* Called for each frame taken, i from 0; path is for messages. */
typedef Status StartFileVisit(void *self, int i, Frame *frame, const char *path, Error *error);

/* Reads the frames taken one after the other. Errors: as above, those of visit. */
Status start_file_read(const Config *config, const StartFile *file, StartFileVisit *visit, void *self,
                       Error *error);

/* ", frame 3 of 16" and the like, appended to words[size]; nothing for the only frame of a file. */
void start_file_words(const StartFile *file, char *words, size_t size);

#endif
