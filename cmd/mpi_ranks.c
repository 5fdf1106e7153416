#include "cmd/mpi_ranks.h"

#include <stdio.h>
#include <stdlib.h>

/* The larger of two numbers that launchers set for each process, Open MPI's and PMI's (MPICH, srun); 0: not
 * set. */
static int launcher_says(const char *open_mpi, const char *pmi)
{
  const char *const says[] = {getenv(open_mpi), getenv(pmi)};
  int most = 0;
  for (int i = 0; i < 2; i++)
    if (says[i] != NULL && atoi(says[i]) > most)
      most = atoi(says[i]);
  return most;
}

static int processes(void) { return launcher_says("OMPI_COMM_WORLD_SIZE", "PMI_SIZE"); }
static bool launched(void) { return processes() > 1; }

void mpi_ranks_warn(const char *command)
{
  if (launched() && launcher_says("OMPI_COMM_WORLD_RANK", "PMI_RANK") == 0)
    fprintf(stderr,
            "holonom %s: %d processes were started, and each does the whole work; call this command once, "
            "without mpirun: only 'holonom run' shares its work\n",
            command, processes());
}

#ifdef HOLONOM_MPI

#include <mpi.h>

enum { TAG_SIZE = 1, TAG_DATA };

/* MPI counts are ints; larger data is sent in pieces. */
static const size_t most = (size_t)1 << 30;
enum { PIECE = 1 << 16 };

static void broadcast(int root, void *data, size_t size)
{
  for (unsigned char *at = data; size > 0;) {
    const size_t n = size < most ? size : most;
    MPI_Bcast(at, (int)n, MPI_BYTE, root, MPI_COMM_WORLD);
    at += n;
    size -= n;
  }
}

static int64_t least(int64_t value)
{
  int64_t all;
  MPI_Allreduce(&value, &all, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  return all;
}

static void send(int to, const void *data, size_t size)
{
  const int64_t length = (int64_t)size;
  MPI_Send(&length, 1, MPI_INT64_T, to, TAG_SIZE, MPI_COMM_WORLD);
  for (const unsigned char *at = data; size > 0;) {
    const size_t n = size < PIECE ? size : PIECE;
    MPI_Send(at, (int)n, MPI_BYTE, to, TAG_DATA, MPI_COMM_WORLD);
    at += n;
    size -= n;
  }
}

static size_t receive_size(int from)
{
  int64_t length;
  MPI_Recv(&length, 1, MPI_INT64_T, from, TAG_SIZE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return (size_t)length;
}

static void receive(int from, void *data, size_t size)
{
  unsigned char *at = data, forgotten[PIECE];
  while (size > 0) {
    const size_t n = size < PIECE ? size : PIECE;
    MPI_Recv(at != NULL ? at : forgotten, (int)n, MPI_BYTE, from, TAG_DATA, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    at = at != NULL ? at + n : NULL;
    size -= n;
  }
}

Status mpi_ranks_begin(Ranks *ranks, bool *several, Error *error)
{
  int level;
  *several = launched();
  if (!*several)
    return STATUS_OK;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return error_set(error, STATUS_RUN, "MPI_Init_thread failed");
  *ranks = (Ranks){
      .broadcast = broadcast, .least = least, .send = send, .receive_size = receive_size, .receive = receive};
  MPI_Comm_rank(MPI_COMM_WORLD, &ranks->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks->size);
  return STATUS_OK;
}

void mpi_ranks_end(void) { MPI_Finalize(); }

#else

Status mpi_ranks_begin(Ranks *ranks, bool *several, Error *error)
{
  *ranks = (Ranks){.size = 1};
  *several = false;
  return launched() ? error_set(error, STATUS_INPUT,
                                "mpirun started several processes, but this program was built without MPI: "
                                "install libopenmpi-dev and rebuild, or run parts with --replicas A..B")
                    : STATUS_OK;
}

void mpi_ranks_end(void) {}

#endif
