"""The excess chemical potential of the Lennard-Jones fluid, in units of epsilon, after J. Kolafa and I. Nezbeda, Fluid Phase Equilibria 100, 1 (1994)."""
from math import exp, log, pi

# Equation 30: coefficients of T^(i/2) rho^j.
POLYNOMIAL = {
    0: {2: 2.01546797, 3: -28.17881636, 4: 28.28313847, 5: -10.42402873},
    -1: {2: -19.58371655, 3: 75.62340289, 4: -120.70586598, 5: 93.92740328, 6: -27.37737354},
    -2: {2: 29.34470520, 3: -112.35356937, 4: 170.64908980, 5: -123.06669187, 6: 34.42288969},
    -4: {2: -13.37031968, 3: 65.38059570, 4: -115.09233113, 5: 88.91973082, 6: -25.62099890},
}
# Coefficients of T^(i/2) in the diameter and in the second virial coefficient beyond that of hard spheres.
DIAMETER = {-2: 0.011117524, -1: -0.076383859, 0: 1.080142248, 1: 0.000693129}
DIAMETER_LOG = -0.063920968
VIRIAL = {-7: -0.58544978, -6: 0.43102052, -5: 0.87361369, -4: -4.13749995, -3: 2.90616279, -2: -7.02181962, 0: 0.02459877}
GAMMA = 1.92907278


def powers(coefficients, t):
    return sum(c * t ** (i / 2) for i, c in coefficients.items())


def packing(t, rho):
    return pi / 6 * rho * (powers(DIAMETER, t) + DIAMETER_LOG * log(t)) ** 3


def residual(t, rho):
    """The Helmholtz energy per particle beyond the ideal gas."""
    eta = packing(t, rho)
    spheres = 5 / 3 * log(1 - eta) + eta * (34 - 33 * eta + 4 * eta**2) / (6 * (1 - eta) ** 2)
    return t * (spheres + rho * powers(VIRIAL, t) * exp(-GAMMA * rho**2)) + sum(
        c * t ** (i / 2) * rho**j for i, row in POLYNOMIAL.items() for j, c in row.items())


def compressibility(t, rho):
    """P / (rho T)."""
    eta = packing(t, rho)
    spheres = (1 + eta + eta**2 - 2 / 3 * eta**3 * (1 + eta)) / (1 - eta) ** 3
    return spheres + rho * powers(VIRIAL, t) * (1 - 2 * GAMMA * rho**2) * exp(-GAMMA * rho**2) + sum(
        j * c * t ** (i / 2 - 1) * rho**j for i, row in POLYNOMIAL.items() for j, c in row.items())


def chemical_potential(t, rho):
    """Beyond that of the ideal gas at the same density."""
    return residual(t, rho) + t * (compressibility(t, rho) - 1)


def pressure(t, rho):
    return rho * t * compressibility(t, rho)


def insertion(t, particles, volume):
    """The free energy of one more particle in a periodic box at constant volume: the chemical potential with its correction of order 1/N (J. I. Siepmann,
    I. R. McDonald and D. Frenkel, J. Phys. Condens. Matter 4, 679 (1992))."""
    rho, h = particles / volume, 1e-4
    low, here, high = (pressure(t, rho + side) for side in (-h, 0, h))
    slope, bend = (high - low) / (2 * h), (high - 2 * here + low) / h**2
    return chemical_potential(t, rho) + slope / (2 * particles) * (1 - t / slope - rho * t * bend / slope**2)
