"""A wheel that holds the library is for this machine; one that does not is for any."""

from pathlib import Path

from setuptools import Distribution, setup


class Package(Distribution):
    def has_ext_modules(self):
        return any(Path(__file__).parent.glob("holonom/libholonom.so*"))


setup(distclass=Package)
