"""Functions of the user: forces, observers, listeners."""

from __future__ import annotations

import operator
import threading
from ctypes import c_double
from typing import TYPE_CHECKING, Any, Callable, Dict, NamedTuple, Optional, Tuple, TypeVar, Union

import numpy as np
import numpy.typing as npt

from . import _library
from ._library import library
from .arrays import Array, view

if TYPE_CHECKING:
    from .simulation import Simulation

# Calls that are allowed inside functions of the user.
MEANWHILE = {
    "a force": (),
    "a listener": (),
    "an observer": ("evaluate", "get", "get_box", "get_ladder", "parameter_get", "get_temperature", "get_topology", "get_virtual_sites", "look", "multipliers", "parameter_energies", "save", "save_memory"),
}


class ForceCall(NamedTuple):
    """The arguments of a force in addition to the positions."""

    step: int  #: steps done
    replicas: range  #: the numbers of the replicas in this call
    box: Array  #: [replicas][3][3] edges as rows, A; zero without a box
    parameters: Dict[str, Array]  #: {name: [replicas]} values of the parameters of the Hamiltonian
    slopes: Dict[str, Array]  #: {name: [replicas]} dU/dparameter of this force: zeros, to be filled by the force


#: A function for `Simulation.add_observer`; its result is ignored.
Observer = Callable[["Simulation"], object]
#: A function for `Simulation.add_force`: of positions and a `ForceCall`; returns energies, forces, and optionally virials.
Force = Callable[[Array, ForceCall], Tuple[npt.ArrayLike, ...]]
AnObserver = TypeVar("AnObserver", bound=Observer)
AForce = TypeVar("AForce", bound=Force)


class Functions:
    """The part of a `Simulation` that calls functions of the user."""

    __slots__ = ()

    def _guard(self, what, function):
        """Wraps a function for the library: an exception is stored for `_call` and reported to the library as an error."""

        def guarded(user, argument, error):
            try:
                self._inside.what = what
                function(argument)
                return _library.OK
            except BaseException as raised:  # also KeyboardInterrupt, which passes through the library
                self._raised = self._raised or raised
                error.contents.message = f"{type(raised).__name__}: {raised}".encode("utf-8", "replace")[:2047]
                return _library.RUN
            finally:
                self._inside.what = None

        return guarded

    def _add(self, kind, function, hook, *before, after=()):
        """Calls hol_add_KIND and stores the hook for as long as the library may call it."""
        self._call("add_" + kind, *before, hook, None, *after)
        self._hooks.append((kind, function, hook))

    def _remove(self, kind, function):
        """The hook of this kind that was added last with this function."""
        found = [i for i, (its, own, _) in enumerate(self._hooks) if its == kind and own == function]
        if not found:
            raise ValueError(f"the {kind} {function!r} cannot be removed: it was not added, or was removed before")
        self._call("remove_" + kind, self._hooks[found[-1]][2], None)
        del self._hooks[found[-1]]

    def add_observer(self, function: AnObserver, every: int = 1) -> AnObserver:
        """Calls function(simulation) after every `every` steps. Returns the function, for use as a decorator.

        The function may read, save and `stop` the simulation; other calls raise RuntimeError. An exception ends `step`, which
        raises it. The result is ignored. Observers may be added and removed between any two steps.
        """
        if not callable(function):
            raise TypeError(f"an observer is a function of the simulation, not {function!r}")
        hook = _library.Observer(self._guard("an observer", lambda _: function(self)))
        self._add("observer", function, hook, operator.index(every))
        return function

    observe = add_observer  # the name in earlier versions

    def remove_observer(self, function: Observer) -> None:
        """Removes an observer; if it was added several times, the last one. ValueError: it was not added."""
        self._remove("observer", function)

    def listen(self, function: Optional[Callable[[str], object]]) -> None:
        """Calls function(line) with each line that ``holonom run`` would print: during the start, long steps
        and at the end of `run`. The function may only `stop` the simulation; an exception stops it, too, and is raised by the
        call at work. None (the default): no calls."""
        if function is not None and not callable(function):
            raise TypeError(f"a listener is a function of a line, or None, not {function!r}")

        def told(user, line):
            try:
                self._inside.what = "a listener"
                function(line.decode("utf-8", "replace"))
            except BaseException as raised:  # also KeyboardInterrupt
                self._raised = self._raised or raised
                library.hol_stop(self._handle)
            finally:
                self._inside.what = None

        listener = _library.Listener(told) if function is not None else _library.Listener()
        self._call("listen", listener, None)
        self._listener = listener

    def add_force(self, function: AForce) -> AForce:
        """Adds a force to every replica, between any two steps. Returns the function, for use as a decorator. ::

            @simulation.add_force
            def spring(x, call):  # each site to the origin
                return 0.5 * k * (x**2).sum(axis=(1, 2)), -k * x

        The arguments are a copy of the positions x[replicas][sites][dimensions] in A and a
        `ForceCall`. The function returns the energies [replicas] in kcal/mol and the forces, an array like x in kcal/mol/A. It may also
        return the virials [replicas][3][3], sums over sites of x_a f_b; without them pressures omit this force.

        The function is called at every evaluation of forces, in the thread that steps, with all replicas or some
        (``call.replicas``). It must not call the simulation. Exceptions, and results of wrong shape, end `step`, which raises them;
        numbers that are not finite are a RunError. The state is then in the middle of a step: `load`
        a saved one.
        """
        if not callable(function):
            raise TypeError(f"a force is a function of positions and a ForceCall, not {function!r}")
        sites, dimensions, views = self.sites, self.dimensions, {}
        names = self._parameter_names()

        def views_of(c):
            n = c.replicas
            shapes = ((c.x, (sites, dimensions)), (c.box, (3, 3)), (c.energy, ()), (c.f, (sites, dimensions)), (c.virial, (3, 3)))
            x, box, *to = (view(address, c_double, n, *shape) for address, shape in shapes)
            values, slopes = (view(address, c_double, n, len(names)) if names else np.empty((n, 0)) for address in (c.parameter, c.slope))
            return x, box, tuple(zip(("energies", "forces", "virials"), to)), range(c.replica, c.replica + n), values, slopes

        def of_call(pointer):
            c = pointer.contents
            key = c.x, c.f, c.replicas
            x, box, places, replicas, values, slopes = views.get(key) or views.setdefault(key, views_of(c))
            given = {name: values[:, i].copy() for i, name in enumerate(names)}
            result = function(x.copy(), ForceCall(c.step, replicas, box.copy(), given, {name: slopes[:, i] for i, name in enumerate(names)}))
            if not isinstance(result, (tuple, list)) or len(result) not in (2, 3):
                raise TypeError(f"a force returns (energies, forces), or with virials, not {repr(result):.100}")
            for values, (name, place) in zip(result, places):
                values = np.asarray(values)
                if values.dtype.kind not in "buif":
                    raise TypeError(f"a force returned {name} of {values.dtype}; it must return real numbers")
                if values.shape != place.shape:
                    raise ValueError(f"a force returned {name} of shape {values.shape}; the shape must be {place.shape}")
                place[...] = values

        self._add("force", function, _library.Force(self._guard("a force", of_call)), after=(0,))
        return function

    def remove_force(self, function: Force) -> None:
        """Removes a force, as `add_force` returned it; if it was added several times, the last one. ValueError: it was not
        added."""
        self._remove("force", function)
