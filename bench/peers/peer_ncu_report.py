#!/usr/bin/env python3
"""usage: peer_ncu_report.py FILE: launches of a report of Nsight Compute and their total time, in plain Python."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/cli/real"))

from ncu_report import launches

times = [time for _, time in launches(sys.argv[1]) if time is not None]
print(len(times), sum(times))
