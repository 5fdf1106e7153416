#include "simulation/mechanics/mechanics_sort.h"

MECHANICS_SORT(sites, natural, system_potentials, mechanics_build_sites, mechanics_start_sites);
MECHANICS_SORT(hamiltonian, general, system_hamiltonian, mechanics_build_hamiltonian,
               mechanics_start_hamiltonian);
