/* The palettes, and pictures whose colors are those of their page. */
#include "render/scene/palette.h"

#include <strings.h>

#include "base/base.h"

/* Okabe and Ito, "Color Universal Design" (2008), with gray in place of black, lightened for the
 * dark background: blue, vermilion, green, purple, orange, sky, gray. Each color was then adjusted
 * until any two differ by at least 20 in CIELAB for every type of color vision. */
static const struct palette light = {
#define TOKEN(name, css, light, dark) .name = light,
#include "render/scene/palette.def"
#undef TOKEN
	.series = {0x0864b3, 0xcb5600, 0x0d9965, 0xc483ad, 0xe69f00, 0x48b8f7, 0x5a626a},
};

static const struct palette dark_ground = {
#define TOKEN(name, css, light, dark) .name = dark,
#include "render/scene/palette.def"
#undef TOKEN
	.series = {0x498fdb, 0xef733e, 0x1ac680, 0xd6a0b7, 0xffa626, 0x9dcbfe, 0x747f73},
};

/* Engines by their role. Units of other devices have the colors of their counterparts. */
enum role { TENSOR, VECTOR, SCALAR, GPSIMD, SYNC, DMA, ROLES };
static const struct {
	const char *start; /* beginning of the name, any case */
	enum role role;
} engines[] = {
	{"tensor", TENSOR}, {"pe", TENSOR},     {"matrix", TENSOR}, {"mfma", TENSOR},
	{"sm", TENSOR},     {"vector", VECTOR}, {"valu", VECTOR},   {"fma", VECTOR},
	{"scalar", SCALAR}, {"act", SCALAR},    {"sfu", SCALAR},    {"xu", SCALAR},
	{"gp", GPSIMD},     {"pool", GPSIMD},   {"sync", SYNC},     {"sp", SYNC},
	{"barrier", SYNC},  {"l2", SYNC},       {"dma", DMA},       {"copy", DMA},
	{"dram", DMA},      {"hbm", DMA},
};

/* Unknown engines take the colors that the table uses least first. */
static const enum role others[ROLES] = {GPSIMD, SYNC, SCALAR, VECTOR, DMA, TENSOR};

const struct palette *palette_of(bool dark)
{
	return dark ? &dark_ground : &light;
}

uint32_t palette_engine(const struct palette *palette, const char *engine, size_t index)
{
	const uint32_t colours[ROLES] = {palette->tensor, palette->vector, palette->scalar,
					 palette->gpsimd, palette->sync,   palette->dma};
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (strncasecmp(engine, engines[i].start, strlen(engines[i].start)) == 0)
			return colours[engines[i].role];
	return colours[others[index % ROLES]];
}

static double linear(uint32_t channel)
{
	double value = channel / 255.0;
	return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double luminance(uint32_t colour)
{
	return 0.2126 * linear(colour >> 16 & 0xff) + 0.7152 * linear(colour >> 8 & 0xff) +
	       0.0722 * linear(colour & 0xff);
}

double palette_contrast(uint32_t a, uint32_t b)
{
	double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
	return x > y ? x / y : y / x;
}

/* --- as CSS variables of a page --- */

enum { COLOUR_COUNT = sizeof(struct palette) / sizeof(uint32_t) };
_Static_assert(offsetof(struct palette, series) ==
		       (COLOUR_COUNT - PALETTE_SERIES) * sizeof(uint32_t),
	       "a palette is an array of colors: the variable --cN is its N-th");

void palette_add_svg(struct strbuf *out, const char *svg)
{
	uint32_t colours[COLOUR_COUNT];
	memcpy(colours, &light, sizeof colours);
	for (const char *at; (at = strstr(svg, "=\"#")); svg = at) {
		size_t i = 0;
		char *end;
		strbuf_add(out, svg, (size_t)(at - svg));
		uint32_t colour = (uint32_t)strtoul(at + 3, &end, 16);
		while (i < COLOUR_COUNT && (colours[i] != colour || end != at + 9 || *end != '"'))
			i++;
		if (i < COLOUR_COUNT)
			strbuf_addf(out, "=\"var(--c%zu)\"", i);
		else
			strbuf_add(out, at, 3);
		at = i < COLOUR_COUNT ? end + 1 : at + 3;
	}
	strbuf_addstr(out, svg);
}

static void add_variables(struct strbuf *out, const struct palette *palette)
{
	uint32_t colours[COLOUR_COUNT];
	memcpy(colours, palette, sizeof colours);
	strbuf_addstr(out, ":root {");
	for (size_t i = 0; i < COLOUR_COUNT; i++)
		strbuf_addf(out, " --c%zu: #%06x;", i, (unsigned)colours[i]);
	strbuf_addstr(out, " }\n");
}

void palette_add_css(struct strbuf *out)
{
	add_variables(out, &light);
	strbuf_addstr(out, "@media screen and (prefers-color-scheme: dark) {\n");
	add_variables(out, &dark_ground);
	strbuf_addstr(out, "}");
}
