#!/usr/bin/env python3
"""A large report of Nsight Compute: ncu_report.py BYTES FILE

The launches of samples/formats/nvidia/ncu-report with other times and grids, some 300 metrics each.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../samples/tools"))

from make_ncu_report import Report, result


def main(size, path):
    size, launches = int(size), 0
    with open(path + ".part", "wb") as file:
        report = Report()
        while file.tell() < size:
            results = []
            for _ in range(100):
                extra = [("invented__metric_%d.sum" % i, float(launches * 31 + i)) for i in range(300)]
                results.append(result(report, "kernel_%d" % (launches % 50), 1000 + launches % 997,
                                      (launches % 64 + 1, 1, 1), extra=extra))
                launches += 1
            report.block(results)
            file.write(report.data)
            report.data = b""
    os.replace(path + ".part", path)
    print(launches, "launches")


if __name__ == "__main__":
    main(*sys.argv[1:])
