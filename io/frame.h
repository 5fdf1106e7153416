/* One frame of a structure or trajectory file, in the same form for all formats. */
#ifndef HOLONOM_IO_FRAME_H
#define HOLONOM_IO_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { FRAME_NAME = 8, FRAME_TITLE = 512, FRAME_OBSERVABLES = 16 };

/* A number of the whole system, with its name and unit: "temperature", "K". */
typedef struct FrameObservable {
  char name[32], unit[24];
  double value;
} FrameObservable;

/* A zero-initialised frame (`Frame frame = {0};`) is valid and empty; frame_free frees its memory. */
typedef struct Frame {
  int natoms;
  void *memory;                 /* owns the arrays */
  int capacity;                 /* atoms that the arrays have room for */
  char (*symbols)[FRAME_NAME];  /* [natoms] element or atom name as in the file; if has_symbols */
  char (*residues)[FRAME_NAME]; /* [natoms] residue name, "" where the format has none */
  char (*names)[FRAME_NAME];    /* [natoms] names of atoms whose symbols are elements; if has_names */
  int *numbers;                 /* [natoms] numbers of their residues */
  char (*chains)[FRAME_NAME];   /* [natoms] their chains; "": unknown */
  int *lines;                   /* [natoms] line of the atom in the file; 0: none */
  int *molecules;               /* [natoms] number of the molecule, from 1; 0: unknown */
  int *indices;            /* [natoms] indices of the atoms of a part of a system, from 0; if has_indices */
  double (*positions)[3];  /* [natoms] angstrom */
  double (*velocities)[3]; /* [natoms] angstrom/ps; if has_velocities */
  double (*forces)[3];     /* [natoms] kcal/mol/angstrom; if has_forces */
  double *masses;          /* [natoms] g/mol; if has_masses (H5MD) */
  double cell[3][3];       /* rows are the box vectors, angstrom; if has_cell */
  bool has_symbols, has_names, has_velocities, has_forces, has_masses, has_cell, has_indices;
  int64_t step;    /* -1: unknown */
  double time;     /* ps, NAN: unknown */
  int replica;     /* of a run, from 0; -1: none or unknown */
  int nobservable; /* observables of H5MD files, sorted by name */
  FrameObservable observable[FRAME_OBSERVABLES];
  char title[FRAME_TITLE];
} Frame;

/* Makes room for natoms atoms and clears everything but positions, which are not set. STATUS_INPUT if
 * natoms < 1; STATUS_MEMORY (the frame is unchanged). */
Status frame_resize(Frame *frame, int natoms, Error *error);

/* Copies n atoms of another frame by their indices from 0, which the copy stores in `indices`.
 * STATUS_MEMORY. */
Status frame_pick(const Frame *from, const int *atom, int n, Frame *frame, Error *error);

/* Copies names, numbers, masses and their flags from a frame with the same number of atoms. */
void frame_copy_labels(const Frame *from, Frame *frame);

/* Frees the arrays and makes the frame empty; an empty frame is allowed. */
void frame_free(Frame *frame);

/* Copies up to FRAME_NAME - 1 of n characters, without blanks at both ends. */
void frame_name(char name[FRAME_NAME], const char *text, int n);

/* Sets the box from its edges a, b, c (angstrom) and the cosines of alpha (b, c), beta (a, c), gamma (a,
 * b): a along x, b in the xy plane. Three edges of zero mean no box. STATUS_INPUT if no such box exists. */
Status frame_set_cell(Frame *frame, const double edge[3], const double cosine[3], Error *error);

/* The cosines of a rectangular box. */
extern const double frame_right[3];

/* The reverse of frame_set_cell: edges and cosines of frame->cell, with exact zeros for right angles. */
void frame_get_cell(const Frame *frame, double edge[3], double cosine[3]);

/* cos(degrees), exactly 0 at 90. */
double frame_cosine(double degrees);

#endif
