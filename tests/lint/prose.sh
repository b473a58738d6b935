#!/bin/bash
# Comments and the documents for developers use none of the forms that tests/lint/prose.txt bans.
set -eu
python3 tests/lint/prose.py
