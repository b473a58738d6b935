/* pattern: which series a pattern is of. */
#include "unit/series_fixture.h"

#include "model/pattern/pattern.h"

#define COUNT_OF_ROWS(rows) (sizeof(rows) / sizeof *(rows))

static bool fits(const char *text, const struct run *run)
{
	static const char *const kernels[] = {"op",    "op fused",
					      NULL,    "attention",
					      "op[0]", "void gemm<float, 4, a=1>(int, int|)"};
	struct series_pattern pattern = series_pattern_of(text, kernels, COUNT_OF_ROWS(kernels));
	return series_pattern_fits(&pattern, run);
}

START_TEST(words_match_parts_in_any_order)
{
	static const struct {
		const char *text;
		bool fits;
	} rows[] = {
		{"attention", true},
		{"attention s=512", true},
		{"attention fused bf16 trn2 s=512", true},
		{"attention s=512, fused", true},
		{"attention (s=512, fused)", true},
		{"attention neuron-* trn2.3xlarge 2-core", true},
		{"attention s=5* b=?", true},
		{"att*", true},
		{"*", true},
		{"* fused s=512", true},
		{"a?tention", true},
		{"attention s>511", true},
		{"attention s>=512 s<=512 b<2", true},
		{"* s>1 s<1e3", true},
		{"attention (s<513.5, b>=1)", true},
		{"fused", false},
		{"attention s>512", false},
		{"attention s<512", false},
		{"attention s>=513", false},
		{"attention s<=511", false},
		{"attention s>", false},
		{"attention s>=", false},
		{"attention s>many", false},
		{"attention s>5*", false},
		{"attention t>1", false},
		{"attention s>nan", false},
		{"attention s=51", false},
		{"attention s", false},
		{"attention unfused", false},
		{"attention s=512 s=256", false},
		{"attention 3-core", false},
		{"attention uncommitted", false},
		{"attent", false},
		{"Attention", false},
		{"", false},
		{"attention/fused/b=1,s=512/bf16/trn2/trn2.3xlarge/neuron-profile/2", true},
		{"attention/fused/b=1,s=512/bf16/trn2/trn2.3xlarge/neuron-profile/1", false},
	};
	struct arena arena = {0};
	struct run *run = series_run(&arena, "attention");
	for (size_t i = 0; i < COUNT_OF_ROWS(rows); i++)
		ck_assert_msg(fits(rows[i].text, run) == rows[i].fits, "%s", rows[i].text);
	run->dirty = true;
	ck_assert(fits("attention (uncommitted)", run));
	arena_free(&arena);
}
END_TEST

START_TEST(the_longest_known_kernel_counts)
{
	struct arena arena = {0};
	struct run *op = series_run(&arena, "op"), *fused = series_run(&arena, "op fused");
	/* "op fused" is a kernel, so it is not the variant fused of the kernel op. */
	ck_assert(fits("op", op) && !fits("op", fused));
	ck_assert(!fits("op fused", op) && fits("op fused", fused));
	ck_assert(fits("op s=512 fused", op));
	const struct series_pattern unknown = {.text = "op fused"};
	ck_assert(series_pattern_fits(&unknown, op) && series_pattern_fits(&unknown, fused));
	arena_free(&arena);
}
END_TEST

START_TEST(names_of_cpp_and_brackets_are_literal)
{
	struct arena arena = {0};
	const char *name = "void gemm<float, 4, a=1>(int, int|)";
	struct run *gemm = series_run(&arena, name), *item = series_run(&arena, "op[0]");
	ck_assert(fits(name, gemm));
	ck_assert(fits(arena_printf(&arena, "%s s=512", name), gemm));
	ck_assert(!fits(arena_printf(&arena, "%s s=513", name), gemm));
	ck_assert(fits("void gemm<*>(int, int?) s=512", gemm));
	ck_assert(!fits("void gemm<float, 4", gemm));
	ck_assert(fits("op[0]", item) && fits("op[0] s=512", item));
	ck_assert(!fits("op[0]", series_run(&arena, "op0")));
	item->kernel = item->variant = item->dtype = item->instance_type = NULL;
	item->cores = 0;
	ck_assert(!fits("op", item));
	ck_assert(fits("* unknown-instance", item) && !fits("* 0-core", item));
	ck_assert(!fits(arena_printf(&arena, "%5000d", 1), item));
	arena_free(&arena);
}
END_TEST

START_TEST(a_word_alone_may_be_any_part)
{
	struct arena arena = {0};
	struct run *run = series_run(&arena, "attention");
	ck_assert(series_pattern_has_part("attention", run));
	ck_assert(series_pattern_has_part("fused", run));
	ck_assert(series_pattern_has_part("trn*", run));
	ck_assert(series_pattern_has_part("s=5*", run));
	ck_assert(!series_pattern_has_part("mlp", run));
	ck_assert(!series_pattern_has_part("s", run));
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("pattern", words_match_parts_in_any_order, the_longest_known_kernel_counts,
	  names_of_cpp_and_brackets_are_literal, a_word_alone_may_be_any_part)
