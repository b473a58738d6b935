/* Okabe and Ito, "Color Universal Design" (2008), lightened where the ground is dark. */
#include "render/palette.h"

#include <math.h>
#include <strings.h>

static const struct palette light = {
	.background = 0xffffff,
	.ink = 0x1c2128,
	.muted = 0x57606a,
	.frame = 0x8c959f,
	.grid = 0xe1e5ea,
	.track = 0xf0f2f5,
	.roof = 0x4a525c,
	.warn = 0xd55e00,
	/* blue, vermillion, green, purple, orange, sky, grey */
	.series = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x7f868e},
};

static const struct palette dark_ground = {
	.background = 0x0d1117,
	.ink = 0xe6edf3,
	.muted = 0x9aa4af,
	.frame = 0x59626d,
	.grid = 0x21262d,
	.track = 0x1a2029,
	.roof = 0xb3bcc6,
	.warn = 0xf0803c,
	.series = {0x3b9ddd, 0xf0803c, 0x26b88d, 0xdc92bb, 0xf2b134, 0x8fd0f5, 0x8b949e},
};

static const struct {
	const char *start; /* of the name, any case */
	size_t len;
	size_t series;
} engines[] = {
	{"tensor", 6, 0}, {"pe", 2, 0},   {"vector", 6, 4}, {"pool", 4, 3}, {"scalar", 6, 2},
	{"act", 3, 2},    {"gp", 2, 3},   {"sync", 4, 6},   {"sp", 2, 6},   {"dma", 3, 5},
	{"sm", 2, 2},     {"dram", 4, 5}, {"hbm", 3, 5},    {"l2", 2, 6},
};

/* What is not in the table takes the colours that the table uses least first. */
static const size_t others[PALETTE_SERIES] = {1, 3, 4, 6, 2, 5, 0};

const struct palette *palette_of(bool dark)
{
	return dark ? &dark_ground : &light;
}

uint32_t palette_engine(const struct palette *palette, const char *engine, size_t index)
{
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
		if (strncasecmp(engine, engines[i].start, engines[i].len) == 0)
			return palette->series[engines[i].series];
	return palette->series[others[index % PALETTE_SERIES]];
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
