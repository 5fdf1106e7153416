#include "engine/room.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The elements begin after it. */
typedef struct RoomPiece {
  _Alignas(64) struct RoomPiece *before;
} RoomPiece;

void *room_take(Room *room, size_t n, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2) {
    room->failed = true;
    return NULL;
  }
  const size_t whole = (bytes + sizeof(RoomPiece) - 1) / sizeof(RoomPiece) * sizeof(RoomPiece);
  RoomPiece *piece = aligned_alloc(sizeof *piece, sizeof *piece + whole);
  if (piece == NULL) {
    room->failed = true;
    return NULL;
  }
  piece->before = room->last;
  room->last = piece;
  return memset(piece + 1, 0, whole);
}

Status room_check(const Room *room, const char *what, Error *error)
{
  TRY_MEMORY(!room->failed, what, error);
  return STATUS_OK;
}

void room_free(Room *room)
{
  while (room->last != NULL) {
    RoomPiece *piece = room->last;
    room->last = piece->before;
    free(piece);
  }
  room->failed = false;
}
