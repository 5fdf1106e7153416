"""Arrays over the memory of a simulation, and copies of its state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

#: An array of real numbers.
Array = npt.NDArray[np.float64]


class Evaluation(NamedTuple):
    """Energies, forces and virials at given positions (`Simulation.evaluate`)."""

    energies: Array  #: [replicas] kcal/mol
    forces: Array  #: [replicas][sites][dimensions] kcal/mol/A
    virials: Array  #: [replicas][3][3] kcal/mol, sums over sites of x_a f_b; without forces that do not return a virial


class Settable(property):
    """A property that accepts any array-like value of its shape."""

    if TYPE_CHECKING:  # type checkers know only properties that are set to the type that they return

        def __init__(self, fget: Callable[[Any], Array], fset: Callable[[Any, npt.ArrayLike], None]) -> None: ...
        def __get__(self, instance: Any, owner: Optional[type] = None) -> Array: ...
        def __set__(self, instance: Any, value: npt.ArrayLike) -> None: ...


def view(address, type, *shape):
    """An array that shares memory with the library."""
    size = int(np.prod(shape))
    return np.frombuffer((type * size).from_address(address), type).reshape(shape) if size > 0 else np.empty(shape, type)


class StateArray(np.ndarray):
    """A read-only copy of a part of the state; results of operations are plain arrays."""

    def _check_writable(self) -> None:
        if not self.flags.writeable:
            raise ValueError(
                "this array is a copy of the state and read-only, since writing to it would not change the simulation: "
                "change a copy of it and set that whole, x = sim.positions.copy(); x[0] += 1; sim.positions = x"
            )

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check_writable()
        super().__setitem__(key, value)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **options: Any) -> Any:
        for array in out or ():
            if isinstance(array, StateArray):
                array._check_writable()
        plain = [np.asarray(x) if isinstance(x, StateArray) else x for x in inputs]
        if out is not None:
            options["out"] = tuple(np.asarray(x) if isinstance(x, StateArray) else x for x in out)
        return getattr(ufunc, method)(*plain, **options)

    def copy(self, order: Any = "C") -> Array:
        """A plain, writable array."""
        return np.array(self, order=order)

    def __repr__(self) -> str:
        return repr(np.asarray(self))


class Columns(dict):
    """The columns that `look` returns; names of earlier versions are accepted, too."""

    def __init__(self, simulation, items):
        super().__init__(items)
        self._names = list(self)
        self._simulation = simulation

    def __missing__(self, name):
        column = self._simulation._ask("column", name.encode()) if isinstance(name, str) else -1
        if column < 0:
            raise KeyError(name)
        return self[self._names[column]]
