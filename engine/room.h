/* Memory that is asked for in pieces and given up together: of an object that has a Room, or of a function.
 *
 *   SCOPED(room_free) Room room = {0};
 *   double *x = room_take(&room, n, sizeof *x);    ...
 *   TRY(room_check(&room, "averages", error));     once, before any is used */
#ifndef HOLONOM_ENGINE_ROOM_H
#define HOLONOM_ENGINE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

#include "engine/scoped.h"
#include "engine/status.h"

/* All zero is empty. */
typedef struct Room {
  struct RoomPiece *last;
  bool failed; /* there was no memory for a piece */
} Room;

/* n elements of a size, zero, aligned to 64 bytes. NULL: there is no memory, as room_check says. */
void *room_take(Room *room, size_t n, size_t size);

/* STATUS_MEMORY where one piece was not to be had. */
Status room_check(const Room *room, const char *what, Error *error);

/* The room is empty then. */
void room_free(Room *room);

#endif
