"""The program of a release build has what cmake/hardening.cmake asks for."""

import os
import re
import subprocess
from pathlib import Path

import pytest

PROGRAM = os.environ.get("TERTIUM_BIN", Path(__file__).resolve().parents[2] / "build" / "tertium")


@pytest.fixture(scope="module")
def elf():
    command = ["readelf", "--wide", "--file-header", "--segments", "--dynamic", "--dyn-syms"]
    return subprocess.run([*command, PROGRAM], check=True, capture_output=True, text=True).stdout


def test_it_can_be_loaded_anywhere(elf):
    assert re.search(r"^\s*Type:\s+DYN \(Position-Independent Executable", elf, re.MULTILINE)


def test_the_stack_is_no_code(elf):
    (flags,) = re.findall(r"^\s*GNU_STACK(?:\s+0x\w+){5}\s+([RWE ]+?)\s+0x", elf, re.MULTILINE)
    assert flags == "RW"


def test_relocations_are_read_only_after_the_start(elf):
    assert "GNU_RELRO" in elf
    assert re.search(r"\(FLAGS_1\)\s+Flags:.*\bNOW\b", elf)


def test_stacks_are_protected(elf):
    assert "__stack_chk_fail" in elf


def test_calls_of_the_c_library_are_checked(elf):
    assert re.search(r"__(memcpy|memmove|memset|fprintf|vsnprintf|read)\w*_chk", elf)
