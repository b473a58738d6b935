#!/usr/bin/env python3
"""usage: chart.py RESULTS.md NAME: draws the table "Reading a profile" of the results.

Writes NAME.svg and NAME-dark.svg: CPU time against rooflog's for the profile of 100 MB, and CPU time
over the size of the profile. Colours are those of render/scene/palette.c.
"""
import math
import re
import sys
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT = 820, 190, 690
BAR_TOP, BAR_STEP, LINES_HEIGHT = 92, 24, 300
COMPARED = "100"
# The others lie on these: they are in the table, and among the bars.
WITHOUT_LINE = {"Python ijson", "Python json and pandas", "DuckDB"}
FONT = ("-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', sans-serif")
LIGHT = {"ground": "#ffffff", "ink": "#1c2128", "muted": "#57606a", "grid": "#e1e5ea",
         "bar": "#8c959f", "own": "#0864b3",
         "series": ["#cb5600", "#0d9965", "#c483ad", "#e69f00", "#48b8f7", "#5a626a"]}
DARK = {"ground": "#0d1117", "ink": "#e6edf3", "muted": "#9aa4af", "grid": "#21262d",
        "bar": "#59626d", "own": "#498fdb",
        "series": ["#ef733e", "#1ac680", "#d6a0b7", "#ffa626", "#9dcbfe", "#747f73"]}


def read_table(path):
    """{program: {MB: (CPU ms, CPU / rooflog)}}, in the order of the table."""
    programs = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip().replace("`", "") for cell in line.strip("|\n ").split("|")]
            if len(cells) == 8 and re.fullmatch(r"\d+ MB", cells[0]):
                row = (float(cells[2]), float(cells[7]))
                programs.setdefault(cells[1], {})[cells[0].split()[0]] = row
    return programs


class Drawing:
    def __init__(self, colours, height):
        self.colours, self.height, self.parts = colours, height, []

    def text(self, x, y, text, colour="ink", size=12.5, more=""):
        self.parts.append('<text x="%.1f" y="%.1f" font-size="%s" fill="%s"%s>%s</text>' % (
            x, y, size, self.colours.get(colour, colour), more, escape(text)))

    def line(self, points, colour, width=1.0):
        self.parts.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="%s"/>' % (
            " ".join("%.1f,%.1f" % point for point in points), colour, width))

    def dot(self, point, colour):
        self.parts.append('<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (*point, colour))

    def bar(self, x, y, width, colour):
        self.parts.append('<rect x="%.1f" y="%.1f" width="%.1f" height="14" rx="2" fill="%s"/>' % (
            x, y, width, colour))

    def svg(self, title):
        return ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
                'role="img" aria-label="%s" font-family="%s">\n<title>%s</title>\n'
                '<rect width="100%%" height="100%%" fill="%s"/>\n%s\n</svg>\n' % (
                    WIDTH, self.height, WIDTH, self.height, title, FONT, title,
                    self.colours["ground"], "\n".join(self.parts)))


def log_scale(low, high, start, end):
    """A place for each value, and the powers of ten between."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    ticks = [10.0 ** power for power in range(first, last + 1)]
    return (lambda value: start + (math.log10(value) - first) / (last - first) * (end - start)), ticks


def short(value):
    return "%d" % value if value >= 100 else "%.2g" % value


def draw_bars(drawing, programs):
    """CPU / rooflog, from the line at 1 to both sides."""
    rows = sorted(((sizes[COMPARED][1], name) for name, sizes in programs.items()
                   if COMPARED in sizes))
    place, ticks = log_scale(rows[0][0], rows[-1][0], LEFT, RIGHT)
    bottom = BAR_TOP + BAR_STEP * len(rows)
    drawing.text(28, 64, "CPU time against rooflog's, one thread, profile of %s MB" % COMPARED,
                 more=' font-weight="600"')
    for tick in ticks:
        drawing.line([(place(tick), BAR_TOP - 8), (place(tick), bottom)], drawing.colours["grid"])
        drawing.text(place(tick), bottom + 16, "%g x" % tick, "muted", 12, ' text-anchor="middle"')
    for number, (ratio, name) in enumerate(rows):
        y = BAR_TOP + BAR_STEP * number
        x, one = place(ratio), place(1)
        own = name == "rooflog"
        drawing.text(LEFT - 12, y + 11, name, "own" if own else "ink", 12.5, ' text-anchor="end"')
        if own:
            drawing.dot((one, y + 7), drawing.colours["own"])
        else:
            drawing.bar(min(x, one), y, abs(x - one), drawing.colours["bar"])
        drawing.text(max(x, one) + 8, y + 11, short(ratio), "muted", 12)
    return bottom + 30


def spread(labels, step):
    """Moves labels (y, ...) down until none lies on another."""
    placed = []
    for label in sorted(labels):
        y = max(label[0], placed[-1][0] + step) if placed else label[0]
        placed.append((y, *label[1:]))
    return placed


def draw_lines(drawing, programs, top):
    """CPU time over size, a line a program."""
    shown = {name: {int(mb): row[0] for mb, row in sizes.items()}
             for name, sizes in programs.items() if name not in WITHOUT_LINE}
    times = [ms for sizes in shown.values() for ms in sizes.values()]
    bottom = top + 20 + LINES_HEIGHT
    across, sizes_ticks = log_scale(1, max(mb for sizes in shown.values() for mb in sizes),
                                    LEFT - 100, RIGHT - 40)
    up, time_ticks = log_scale(min(times), max(times), bottom, top + 20)
    drawing.text(28, top, "CPU time over the size of the profile", more=' font-weight="600"')
    for tick in time_ticks:
        drawing.line([(LEFT - 100, up(tick)), (RIGHT - 40, up(tick))], drawing.colours["grid"])
        text = "%g ms" % tick if tick < 1000 else "%g s" % (tick / 1000)
        drawing.text(LEFT - 108, up(tick) + 4, text, "muted", 12, ' text-anchor="end"')
    for tick in sizes_ticks:
        text = "%g MB" % tick if tick < 1000 else "%g GB" % (tick / 1000)
        drawing.text(across(tick), bottom + 18, text, "muted", 12, ' text-anchor="middle"')
    labels, colours = [], iter(drawing.colours["series"] * 2)
    for name, sizes in shown.items():
        colour = drawing.colours["own"] if name == "rooflog" else next(colours)
        points = [(across(mb), up(ms)) for mb, ms in sorted(sizes.items())]
        drawing.line(points, colour, 3 if name == "rooflog" else 1.5)
        for point in points:
            drawing.dot(point, colour)
        labels.append((points[-1][1], points[-1][0], name, colour))
    for column in sorted({label[1] for label in labels}):
        for y, x, name, colour in spread([label for label in labels if label[1] == column], 15):
            drawing.text(x + 10, y + 4, name, colour)


def main():
    programs = read_table(sys.argv[1])
    if not programs:
        sys.exit("chart.py: no table in " + sys.argv[1])
    bars = sum(COMPARED in sizes for sizes in programs.values())
    height = BAR_TOP + BAR_STEP * bars + 30 + 14 + 20 + LINES_HEIGHT + 34
    for suffix, colours in ("", LIGHT), ("-dark", DARK):
        drawing = Drawing(colours, height)
        drawing.text(28, 34, "Reading a profile", size=17, more=' font-weight="600"')
        top = draw_bars(drawing, programs)
        draw_lines(drawing, programs, top + 14)
        with open(sys.argv[2] + suffix + ".svg", "w", encoding="utf-8") as file:
            file.write(drawing.svg("Reading a profile"))


if __name__ == "__main__":
    main()
