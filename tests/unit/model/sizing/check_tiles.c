/* Tiles: counts, padding, boundaries. */
#include "model/sizing/tiles.h"

#include <math.h>

#include "unit/unit.h"

START_TEST(counts_and_padding)
{
	static const struct {
		struct matmul size;
		double count, padding;
	} cases[] = {
		{{128, 128, 512}, 1, 0},
		{{1, 1, 1}, 1, 1 - 1 / 8388608.0},
		{{129, 128, 512}, 2, 1 - 129 / 256.0},
		{{128, 129, 512}, 2, 1 - 129 / 256.0},
		{{128, 128, 513}, 2, 1 - 513 / 1024.0},
		{{160, 128, 128}, 2, 1 - 160 * 128 * 128 / 16777216.0},
		{{1024, 512, 3584}, 224, 0},
		{{2048, 4096, 14336}, 16 * 32 * 28, 0},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_double_eq(tiles_count(&cases[i].size), cases[i].count);
		ck_assert_double_eq_tol(tiles_padding(&cases[i].size), cases[i].padding, 1e-15);
	}
	ck_assert(isnan(tiles_count(&(struct matmul){128, NAN, 512})));
	ck_assert(isnan(tiles_padding(&(struct matmul){NAN, 128, 512})));
	ck_assert_double_eq(tiles_flops(&(struct matmul){128, 128, 128}), 4194304);
}
END_TEST

START_TEST(tiles_of_params)
{
	ck_assert_double_eq(tiles_of_param("M"), 128);
	ck_assert_double_eq(tiles_of_param("K"), 128);
	ck_assert_double_eq(tiles_of_param("N"), 512);
	ck_assert(isnan(tiles_of_param("n")));
	ck_assert(isnan(tiles_of_param("actual_N")));
}
END_TEST

START_TEST(boundaries)
{
	static const struct {
		double low, high, tile;
		size_t count;
		double first, last;
	} cases[] = {
		{1, 512, 128, 3, 128, 384},     {128, 129, 128, 1, 128, 128},
		{129, 256, 128, 0, NAN, NAN},   {0, 513, 512, 1, 512, 512},
		{300, 2048, 512, 3, 512, 1536}, {1, 1e9, 1, 16, 1, 16},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double at[16];
		size_t count = tiles_boundaries(cases[i].low, cases[i].high, cases[i].tile, at, 16);
		ck_assert_uint_eq(count, cases[i].count);
		if (!count)
			continue;
		ck_assert_double_eq(at[0], cases[i].first);
		ck_assert_double_eq(at[count - 1], cases[i].last);
	}
}
END_TEST

UNIT_MAIN("tiles", counts_and_padding, tiles_of_params, boundaries)
