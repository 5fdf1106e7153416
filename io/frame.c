#include "io/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those of doubles first. */
static void place_arrays(Frame *frame)
{
  const size_t n = (size_t)frame->capacity;
  frame->positions = (double(*)[3])frame->memory;
  frame->velocities = frame->positions + n;
  frame->forces = frame->velocities + n;
  frame->masses = (double *)(frame->forces + n);
  frame->lines = (int *)(frame->masses + n);
  frame->molecules = frame->lines + n;
  frame->numbers = frame->molecules + n;
  frame->indices = frame->numbers + n;
  frame->symbols = (char(*)[FRAME_NAME])(frame->indices + n);
  frame->residues = frame->symbols + n;
  frame->names = frame->residues + n;
  frame->chains = frame->names + n;
}

/* All arrays in one allocation. */
static Status allocate(Frame *frame, int natoms, Error *error)
{
  const size_t n = (size_t)natoms;
  const size_t size =
      3 * sizeof *frame->positions + sizeof *frame->masses + 4 * FRAME_NAME + 4 * sizeof *frame->lines;
  char *memory = malloc(n * size);
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
  if (natoms > frame->capacity) {
    TRY(allocate(frame, natoms, error));
  }
  frame->natoms = natoms;
  memset(frame->symbols, 0, (size_t)natoms * sizeof *frame->symbols);
  memset(frame->residues, 0, (size_t)natoms * sizeof *frame->residues);
  memset(frame->names, 0, (size_t)natoms * sizeof *frame->names);
  memset(frame->chains, 0, (size_t)natoms * sizeof *frame->chains);
  memset(frame->numbers, 0, (size_t)natoms * sizeof *frame->numbers);
  memset(frame->lines, 0, (size_t)natoms * sizeof *frame->lines);
  memset(frame->molecules, 0, (size_t)natoms * sizeof *frame->molecules);
  memset(frame->indices, 0, (size_t)natoms * sizeof *frame->indices);
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
    memcpy(frame->symbols[i], from->symbols[a], sizeof *frame->symbols);
    memcpy(frame->residues[i], from->residues[a], sizeof *frame->residues);
    memcpy(frame->names[i], from->names[a], sizeof *frame->names);
    memcpy(frame->chains[i], from->chains[a], sizeof *frame->chains);
    memcpy(frame->positions[i], from->positions[a], sizeof *frame->positions);
    memcpy(frame->velocities[i], from->velocities[a], sizeof *frame->velocities);
    memcpy(frame->forces[i], from->forces[a], sizeof *frame->forces);
    frame->masses[i] = from->masses[a];
    frame->numbers[i] = from->numbers[a];
    frame->lines[i] = from->lines[a];
    frame->molecules[i] = from->molecules[a];
    frame->indices[i] = from->has_indices ? from->indices[a] : a;
  }
  frame->has_indices = true;
  return STATUS_OK;
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
