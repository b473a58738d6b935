#!/bin/bash
# The rooms are as tests/lint/rooms.txt declares them: doors, includes, cycles, exported functions, and
# the table in ARCHITECTURE.md.
set -eu
python3 tests/lint/rooms.py
