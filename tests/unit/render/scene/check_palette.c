/*
 * Contrasts of the palette, and its colours as people with each kind of colour vision see them:
 * simulated after Machado, Oliveira and Fernandes (2009, severity 1). Series are compared by their
 * distance in CIELAB, verdicts and engines by that in OKLab.
 */
#include "render/scene/palette.h"

#include <math.h>

#include "tests/unit/unit.h"

static const struct {
	const char *name;
	double matrix[3][3]; /* on linear RGB */
} visions[] = {
	{"normal", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protanopia",
	 {{0.152286, 1.052583, -0.204868},
	  {0.114503, 0.786281, 0.099216},
	  {-0.003882, -0.048116, 1.051998}}},
	{"deuteranopia",
	 {{0.367322, 0.860646, -0.227968},
	  {0.280085, 0.672501, 0.047413},
	  {-0.011820, 0.042940, 0.968881}}},
	{"tritanopia",
	 {{1.255528, -0.076749, -0.178779},
	  {-0.078411, 0.930809, 0.147602},
	  {0.004733, 0.691367, 0.303900}}},
};
enum { VISIONS = sizeof visions / sizeof *visions };

static void multiply(const double matrix[3][3], const double in[3], double out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = matrix[i][0] * in[0] + matrix[i][1] * in[1] + matrix[i][2] * in[2];
}

static double curve(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* Linear RGB of a colour of sRGB as it is seen. */
static void see(uint32_t colour, const double matrix[3][3], double seen[3])
{
	double linear[3];
	for (int i = 0; i < 3; i++) {
		double value = (double)(colour >> (16 - 8 * i) & 0xff) / 255;
		linear[i] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
	}
	multiply(matrix, linear, seen);
	for (int i = 0; i < 3; i++)
		seen[i] = fmin(fmax(seen[i], 0), 1);
}

/* CIELAB (D65) of a colour as it is seen. */
static void lab_of(uint32_t colour, const double matrix[3][3], double lab[3])
{
	static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
					    {0.2126729, 0.7151522, 0.0721750},
					    {0.0193339, 0.1191920, 0.9503041}};
	double seen[3], xyz[3];
	see(colour, matrix, seen);
	multiply(to_xyz, seen, xyz);
	double x = curve(xyz[0] / 0.95047), y = curve(xyz[1]), z = curve(xyz[2] / 1.08883);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

static double distance(uint32_t a, uint32_t b, const double matrix[3][3])
{
	double x[3], y[3];
	lab_of(a, matrix, x);
	lab_of(b, matrix, y);
	return sqrt(pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
}

/* OKLab (Ottosson, 2020) times 100. */
static void oklab_of(uint32_t colour, const double matrix[3][3], double lab[3])
{
	static const double to_lms[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
					    {0.2119034982, 0.6806995451, 0.1073969566},
					    {0.0883024619, 0.2817188376, 0.6299787005}};
	static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
					    {1.9779984951, -2.4285922050, 0.4505937099},
					    {0.0259040371, 0.7827717662, -0.8086757660}};
	double seen[3], lms[3];
	see(colour, matrix, seen);
	multiply(to_lms, seen, lms);
	for (int i = 0; i < 3; i++)
		lms[i] = 100 * cbrt(lms[i]);
	multiply(to_lab, lms, lab);
}

/* Checks that any two of the colours are at least `least` apart in OKLab for each kind of colour
 * vision. */
static void check_apart(const uint32_t *colours, size_t count, double least, const char *what)
{
	for (size_t v = 0; v < VISIONS; v++)
		for (size_t i = 0; i < count; i++)
			for (size_t k = i + 1; k < count; k++) {
				double a[3], b[3];
				oklab_of(colours[i], visions[v].matrix, a);
				oklab_of(colours[k], visions[v].matrix, b);
				double apart = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) +
						    pow(a[2] - b[2], 2));
				ck_assert_msg(apart >= least,
					      "%s, %s: %06x and %06x are %.2f apart", what,
					      visions[v].name, colours[i], colours[k], apart);
			}
}

/* Below 5 two fills are taken for one another. */
START_TEST(verdicts_and_engines_are_told_apart_with_any_colour_vision)
{
	for (int dark = 0; dark < 2; dark++) {
		const struct palette *p = palette_of(dark);
		const uint32_t verdicts[] = {p->slower,  p->faster,   p->unclear,
					     p->stopped, p->accepted, p->data};
		const uint32_t engines[] = {p->tensor, p->vector, p->scalar,
					    p->gpsimd, p->sync,   p->dma};
		check_apart(verdicts, 6, 6.9, dark ? "dark verdicts" : "light verdicts");
		check_apart(engines, 6, 6.8, dark ? "dark engines" : "light engines");
	}
}
END_TEST

/* WCAG 2: texts need 4.5, graphics 3. */
START_TEST(contrasts_suffice)
{
	for (int dark = 0; dark < 2; dark++) {
		const struct palette *p = palette_of(dark);
		const struct {
			uint32_t colour, ground;
			double least;
		} pairs[] = {
			{p->ink, p->background, 4.5},      {p->ink2, p->background, 4.5},
			{p->ink2, p->track, 4.5},          {p->muted, p->background, 4.5},
			{p->muted, p->surface, 4.5},       {p->muted, p->track, 4.5},
			{p->accent, p->background, 4.5},   {p->accent, p->surface, 4.5},
			{p->slower, p->background, 4.5},   {p->slower, p->slower_ground, 4.5},
			{p->faster, p->background, 4.5},   {p->faster, p->faster_ground, 4.5},
			{p->unclear, p->background, 4.5},  {p->unclear, p->unclear_ground, 4.5},
			{p->stopped, p->background, 4.5},  {p->stopped, p->stopped_ground, 4.5},
			{p->accepted, p->background, 4.5}, {p->accepted, p->accepted_ground, 4.5},
			{p->data, p->background, 3},       {p->frame, p->background, 3},
			{p->tensor, p->background, 3},     {p->vector, p->background, 3},
			{p->scalar, p->background, 3},     {p->gpsimd, p->background, 3},
			{p->sync, p->background, 3},       {p->dma, p->background, 3},
		};
		for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
			double contrast = palette_contrast(pairs[i].colour, pairs[i].ground);
			ck_assert_msg(contrast >= pairs[i].least, "%06x on %06x: %.2f",
				      pairs[i].colour, pairs[i].ground, contrast);
		}
	}
}
END_TEST

/* About 2 is the least that is seen side by side; marks lie apart and are small. */
START_TEST(series_are_told_apart_with_any_colour_vision)
{
	for (size_t row = 0; row < 2 * VISIONS; row++) {
		const struct palette *palette = palette_of(row % 2);
		for (size_t i = 0; i < PALETTE_SERIES; i++)
			for (size_t k = i + 1; k < PALETTE_SERIES; k++) {
				double apart = distance(palette->series[i], palette->series[k],
							visions[row / 2].matrix);
				ck_assert_msg(apart >= 20, "%s, %s: %06x and %06x are %.1f apart",
					      row % 2 ? "dark" : "light", visions[row / 2].name,
					      palette->series[i], palette->series[k], apart);
			}
	}
}
END_TEST

/* Longer and shorter, throttled and not: never red against green. */
START_TEST(warnings_are_told_from_the_first_series)
{
	for (size_t row = 0; row < 2 * VISIONS; row++) {
		const struct palette *palette = palette_of(row % 2);
		ck_assert_double_ge(
			distance(palette->slower, palette->series[0], visions[row / 2].matrix), 40);
	}
}
END_TEST

/* Black, white, and the published colour of a dichromat's confusion. */
START_TEST(the_simulation_is_that_of_the_paper)
{
	double lab[3];
	for (size_t i = 0; i < VISIONS; i++) {
		ck_assert_double_eq_tol(distance(0x000000, 0xffffff, visions[i].matrix), 100, 0.1);
		lab_of(0x808080, visions[i].matrix, lab);
		ck_assert_double_eq_tol(lab[0], 53.59, 0.02);
		ck_assert_double_le(fabs(lab[1]) + fabs(lab[2]), 0.1);
	}
	/* Red and green of equal lightness: far apart, and nearly one to who sees no green. */
	ck_assert_double_ge(distance(0xb05000, 0x6a7800, visions[0].matrix), 40);
	ck_assert_double_le(distance(0xb05000, 0x6a7800, visions[2].matrix), 20);
}
END_TEST

/* Pictures of pages are drawn once, in the light palette: what is one colour there is one in the
 * dark, too. */
START_TEST(one_light_colour_is_one_dark_colour)
{
	const struct palette *light = palette_of(false), *dark = palette_of(true);
	const uint32_t *a = &light->background, *b = &dark->background;
	for (size_t i = 0; i < sizeof *light / sizeof *a; i++)
		for (size_t k = 0; k < i; k++)
			ck_assert_msg(a[i] != a[k] || b[i] == b[k], "colours %zu and %zu", k, i);
}
END_TEST

UNIT_MAIN("palette", verdicts_and_engines_are_told_apart_with_any_colour_vision, contrasts_suffice,
	  series_are_told_apart_with_any_colour_vision, warnings_are_told_from_the_first_series,
	  the_simulation_is_that_of_the_paper, one_light_colour_is_one_dark_colour)
