#!/usr/bin/python3
"""usage: peer_charts.py FOLDER svg|png: the charts of peer_charts.gp with matplotlib."""
import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 after the choice of the backend


def read(folder, name):
    with open(f"{folder}/{name}.tsv", encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t"))


def save(figure, folder, name, ending):
    figure.savefig(f"{folder}/{name}.{ending}", dpi=200)
    plt.close(figure)


def new(title, x, y):
    figure, axes = plt.subplots(figsize=(8.2, 5.76))
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return figure, axes


def roofline(folder, ending):
    figure, axes = new("Roofline", "Arithmetic intensity, FLOP/B", "FLOP/s")
    bandwidth, peak = map(float, read(folder, "roof")[0])
    points = read(folder, "points")
    ridge = peak / bandwidth
    axes.loglog([1, ridge, 10000], [bandwidth, peak, peak], label="attainable")
    axes.loglog([float(p[0]) for p in points], [float(p[1]) for p in points], "o", label="runs")
    for point in points:
        axes.annotate(point[2], (float(point[0]), float(point[1])))
    axes.grid(True)
    axes.legend()
    save(figure, folder, "roofline", ending)


def occupancy(folder, ending):
    figure, axes = new("Occupancy", "", "%")
    rows = read(folder, "engines")
    places = range(len(rows))
    axes.bar([p - 0.2 for p in places], [float(r[1]) for r in rows], 0.4, label="run")
    axes.bar([p + 0.2 for p in places], [float(r[2]) for r in rows], 0.4, label="baseline")
    axes.set_xticks(list(places), [r[0] for r in rows])
    axes.legend()
    save(figure, folder, "occupancy", ending)


def trend(folder, ending):
    figure, axes = new("decode", "commit", "ms")
    rows = read(folder, "trend")
    axes.plot([float(r[0]) for r in rows], [float(r[1]) for r in rows], label="total time")
    axes.grid(True)
    axes.legend()
    save(figure, folder, "trend", ending)


def main():
    for draw in (roofline, occupancy, trend):
        draw(sys.argv[1], sys.argv[2])


if __name__ == "__main__":
    main()
