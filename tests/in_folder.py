"""Tests that each begin in a new folder, `folder`, which is empty and gone afterwards."""

import os
import tempfile
import unittest
from pathlib import Path


class InFolder(unittest.TestCase):
    def setUp(self):
        box = tempfile.TemporaryDirectory()
        self.addCleanup(box.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(box.name)
        self.folder = Path(box.name)
