#!/bin/bash
# Comments, documents, templates and messages use none of the forms that tests/lint/prose.txt bans.
set -eu
python3 tests/lint/prose.py
