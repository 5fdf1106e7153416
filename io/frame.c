#include "io/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The arrays of atoms, with doubles first; whether they label atoms. */
#define ARRAYS                                                                                               \
  ARRAY(positions, false)                                                                                    \
  ARRAY(velocities, false)                                                                                   \
  ARRAY(forces, false)                                                                                       \
  ARRAY(masses, true)                                                                                        \
  ARRAY(lines, true)                                                                                         \
  ARRAY(molecules, true)                                                                                     \
  ARRAY(numbers, true)                                                                                       \
  ARRAY(indices, true)                                                                                       \
  ARRAY(symbols, true)                                                                                       \
  ARRAY(residues, true)                                                                                      \
  ARRAY(names, true)                                                                                         \
  ARRAY(chains, true)

static void place_arrays(Frame *frame)
{
  char *at = frame->memory;
#define ARRAY(name, label)                                                                                   \
  frame->name = (void *)at;                                                                                  \
  at += (size_t)frame->capacity * sizeof *frame->name;
  ARRAYS
#undef ARRAY
}

/* All arrays in one allocation. */
static Status allocate(Frame *frame, int natoms, Error *error)
{
  size_t size = 0;
#define ARRAY(name, label) size += sizeof *frame->name;
  ARRAYS
#undef ARRAY
  char *memory = malloc((size_t)natoms * size);
  TRY_MEMORY(memory != NULL, "a frame of atoms", error);
  free(frame->memory);
  frame->memory = memory;
  frame->capacity = natoms;
  place_arrays(frame);
  return STATUS_OK;
}

Status frame_resize(Frame *frame, int natoms, Error *error)
{
  if (natoms < 1)
    return error_set(error, STATUS_INPUT, "a frame needs at least one atom, not %d", natoms);
  if (natoms > frame->capacity)
    TRY(allocate(frame, natoms, error));
  frame->natoms = natoms;
#define ARRAY(name, label)                                                                                   \
  if (label)                                                                                                 \
    memset(frame->name, 0, (size_t)natoms * sizeof *frame->name);
  ARRAYS
#undef ARRAY
  frame->has_symbols = frame->has_names = frame->has_velocities = frame->has_forces = frame->has_masses =
      false;
  frame->has_cell = frame->has_indices = false;
  frame->step = -1;
  frame->time = NAN;
  frame->replica = -1;
  frame->nobservable = 0;
  frame->title[0] = '\0';
  return STATUS_OK;
}

Status frame_pick(const Frame *from, const int *atom, int n, Frame *frame, Error *error)
{
  TRY(frame_resize(frame, n, error));
  const Frame own = *frame;
  *frame = *from;
  frame->natoms = n;
  frame->memory = own.memory;
  frame->capacity = own.capacity;
  place_arrays(frame);
  for (int i = 0; i < n; i++) {
    const int a = atom[i];
#define ARRAY(name, label) memcpy(&frame->name[i], &from->name[a], sizeof *frame->name);
    ARRAYS
#undef ARRAY
    frame->indices[i] = from->has_indices ? from->indices[a] : a;
  }
  frame->has_indices = true;
  return STATUS_OK;
}

void frame_copy_labels(const Frame *from, Frame *frame)
{
#define ARRAY(name, label)                                                                                   \
  if (label)                                                                                                 \
    memcpy(frame->name, from->name, (size_t)frame->natoms * sizeof *frame->name);
  ARRAYS
#undef ARRAY
  frame->has_symbols = from->has_symbols;
  frame->has_names = from->has_names;
  frame->has_masses = from->has_masses;
  frame->has_indices = from->has_indices;
}

void frame_free(Frame *frame)
{
  free(frame->memory);
  *frame = (Frame){0};
}

void frame_name(char name[FRAME_NAME], const char *text, int n)
{
  while (n > 0 && (*text == ' ' || *text == '\t')) {
    text++;
    n--;
  }
  int used = 0;
  while (used < n && used < FRAME_NAME - 1 && text[used] != '\0' && text[used] != ' ' && text[used] != '\t') {
    name[used] = text[used];
    used++;
  }
  name[used] = '\0';
}

double frame_cosine(double degrees) { return sin((90.0 - degrees) * (M_PI / 180.0)); }

const double frame_right[3] = {0.0, 0.0, 0.0};

Status frame_set_cell(Frame *frame, const double edge[3], const double cosine[3], Error *error)
{
  frame->has_cell = false;
  if (edge[0] == 0.0 && edge[1] == 0.0 && edge[2] == 0.0)
    return STATUS_OK;
  /* c = (ca, cb, cc) with c.a and c.b from beta and alpha; the rest of its length is along z. */
  const double alpha = cosine[0], beta = cosine[1], gamma = cosine[2];
  const double sine = sqrt(1.0 - gamma * gamma);
  const double cy = (alpha - beta * gamma) / sine;
  const double height = 1.0 - beta * beta - cy * cy;
  if (!(edge[0] > 0.0) || !(edge[1] > 0.0) || !(edge[2] > 0.0) || !(sine > 0.0) || !(height > 0.0) ||
      !isfinite(edge[0] + edge[1] + edge[2]))
    return error_set(error, STATUS_INPUT,
                     "no box has the edges %g, %g, %g A and the angles' cosines %g, %g, %g", edge[0], edge[1],
                     edge[2], alpha, beta, gamma);
  const double cell[3][3] = {{edge[0], 0.0, 0.0},
                             {edge[1] * gamma, edge[1] * sine, 0.0},
                             {edge[2] * beta, edge[2] * cy, edge[2] * sqrt(height)}};
  memcpy(frame->cell, cell, sizeof cell);
  frame->has_cell = true;
  return STATUS_OK;
}

void frame_get_cell(const Frame *frame, double edge[3], double cosine[3])
{
  double dot[3][3] = {{0.0}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++)
        dot[i][j] += frame->cell[i][k] * frame->cell[j][k];
  for (int i = 0; i < 3; i++)
    edge[i] = sqrt(dot[i][i]);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    cosine[i] = dot[j][k] / (edge[j] * edge[k]);
  }
}
