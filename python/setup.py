"""A wheel that holds the library is for machines like this one, one that does not is for any; either serves every Python 3, since
nothing is compiled against one."""

from pathlib import Path

from setuptools import Distribution, setup

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel


class Package(Distribution):
    def has_ext_modules(self):
        return any(Path(__file__).parent.glob("holonom/libholonom.so*"))


class Wheel(bdist_wheel):
    def get_tag(self):
        platform = super().get_tag()[2]
        return "py3", "none", platform


setup(distclass=Package, cmdclass={"bdist_wheel": Wheel})
