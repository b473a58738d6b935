/* model/acceptance: the grammar with its messages, which series a pattern names, and which line
 * accepts, is exceeded, lapsed or covered. */
#include "model/acceptance/acceptance.h"

#include <math.h>
#include <string.h>

#include "model/run/run.h"
#include "unit/series_fixture.h"
#include "render/vocabulary/vocabulary.h"

enum { NOON = 1772366400 }; /* 2026-03-01 12:00 UTC */

static struct acceptance_list parsed(struct arena *arena, const char *text)
{
	struct acceptance_list list = {0};
	struct error err = {0};
	ck_assert_msg(acceptance_parse(arena, "f", span_of(text), &list, &err) == 0, "%s: %s", text,
		      err.text);
	return list;
}

/* ---- the grammar ---- */

START_TEST(a_file_with_everything)
{
	struct arena arena = {0};
	struct acceptance_list list = parsed(
		&arena, "\xef\xbb\xbf# a comment | with | bars\r\n"
			"\n"
			"mlp* s=512 | total_time | 47.5 us | 2026-03-31 | Ada <a@b> | slow | on "
			"purpose \r\n"
			"\t # indented\n"
			"old|*|retired|never|Ada|gone\n"
			"  gemm | hbm_read_bytes | 1.5 MB | v2.0 | \xc3\x9c | \xe2\x80\xa6");
	ck_assert_uint_eq(list.count, 3);
	const struct acceptance *one = &list.items[0];
	ck_assert_uint_eq(one->line, 3);
	ck_assert_str_eq(one->series, "mlp* s=512");
	ck_assert_int_eq(one->metric, METRIC_TOTAL_TIME);
	ck_assert_double_eq_tol(acceptance_limit(one, METRIC_TOTAL_TIME), 47.5e-6, 1e-15);
	ck_assert(isnan(acceptance_limit(one, METRIC_HOST_TIME)));
	ck_assert(!one->retired && one->expiry == ACCEPTANCE_DAY);
	ck_assert_int_eq(one->end, 1775001600); /* date -ud 2026-04-01 +%s */
	ck_assert_str_eq(one->author, "Ada <a@b>");
	ck_assert_str_eq(one->reason, "slow | on purpose");
	one = &list.items[1];
	ck_assert_uint_eq(one->line, 5);
	ck_assert(one->retired && one->metric == METRIC_COUNT && one->expiry == ACCEPTANCE_NEVER);
	ck_assert(isnan(acceptance_limit(one, METRIC_TOTAL_TIME)));
	one = &list.items[2];
	ck_assert_uint_eq(one->line, 6);
	ck_assert(one->expiry == ACCEPTANCE_REVISION);
	ck_assert_str_eq(one->expires, "v2.0");
	ck_assert_double_eq_tol(acceptance_limit(one, METRIC_HBM_READ_BYTES), 1.5e6, 1e-6);
	for (size_t i = 0; i < list.count; i++) {
		struct acceptance_list again =
			parsed(&arena, acceptance_line(&arena, &list.items[i]));
		ck_assert_str_eq(again.items[0].reason, list.items[i].reason);
		ck_assert_str_eq(again.items[0].limit, list.items[i].limit);
	}
	list = parsed(&arena, "k | dma_transfer_count | 1,234 | never | a | r");
	ck_assert_double_eq(acceptance_limit(&list.items[0], METRIC_DMA_TRANSFER_COUNT), 1234);
	ck_assert_uint_eq(parsed(&arena, "").count, 0);
	ck_assert_uint_eq(parsed(&arena, "# nothing").count, 0);
	arena_free(&arena);
}
END_TEST

START_TEST(broken_lines_are_told)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{"k | total_time | 1 us | never | a", "f:1: 5 fields, six expected"},
		{"\n\nk", "f:3: 1 field, six expected: series | metric"},
		{"k | total_time | 1 us | never | a |", "f:1: the reason is missing"},
		{"k | total_time | 1 us | never | | r", "f:1: the author is missing"},
		{" | total_time | 1 us | never | a | r", "f:1: the series is missing"},
		{"k | time | 1 us | never | a | r", "\"time\": not a metric"},
		{"k | total_time | 47.5 | never | a | r",
		 "\"47.5\": is not a valid limit for a time"},
		{"k | total_time | 1 GB | never | a | r", "not a valid limit for a time"},
		{"k | total_time | 1e400 us | never | a | r", "not a valid limit for a time"},
		{"k | hbm_bytes | 1e308 PB | never | a | r", "a number with its unit"},
		{"k | dma_transfer_count | 1,000 B | never | a | r", "write a number"},
		{"k | total_time | nan | never | a | r", "not a valid limit for a time"},
		{"k | total_time | Retired | never | a | r", "not a valid limit for a time"},
		{"k | mfu | 28 | never | a | r", "write for example 28 %"},
		{"k | mfu | 0.28 | never | a | r", "write for example 28 %"},
		{"k | hbm_bytes | 5 us | never | a | r", "a number with its unit"},
		{"k | host_overhead | 5 us | never | a | r", "write a number, or retired"},
		{"k | * | 5 | never | a | r", "not a valid limit for all metrics"},
		{"k | * | 5 parsecs | never | a | r", "not a valid limit for all metrics"},
		{"k | * | 5 us | 2026-02-29 | a | r", "\"2026-02-29\": is not a valid date"},
		{"k | * | 5 us | 2100-02-29 | a | r", "is not a valid date"},
		{"k | * | 5 us | 2026-13-01 | a | r", "is not a valid date"},
		{"k | * | 5 us | 2026-3-1 | a | r", "is not a valid date (YYYY-MM-DD)"},
		{"k | * | 5 us | 0000-01-01 | a | r", "is not a valid date"},
		{"k | * | 5 us | 31.03.2026 | a | r", "is not a valid date"},
		{"k | * | 5 us | 03/31/2026 | a | r", "is not a valid date"},
		{"k | * | 5 us | 2026-03-31T12:00 | a | r", "is not a valid date"},
		{"k | * | 5 us | | a | r", "the expiry is missing"},
		{"k | * | 5 us | --output=x | a | r", "is not an expiry"},
		{"k | * | 5 us | in march | a | r", "is not an expiry"},
		{"k\x1b[2J | * | 5 us | never | a | r", "field 1 contains invisible characters"},
		{"k | * | 5 us | never | a | \xff", "field 6 contains invisible characters"},
		{"\xef\xbb\xbf\xef\xbb\xbfk | * | 5 us | never | a | r",
		 "f:1: field 1 contains invisible"},
		{"k | * | 5 us | never | a | b\rc", "field 6 contains invisible characters"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = {0};
		struct acceptance_list list = {.path = "untouched"};
		struct error err = {0};
		ck_assert_msg(acceptance_parse(&arena, "f", span_of(rows[i].text), &list, &err) ==
				      -1,
			      "accepted: %s", rows[i].text);
		ck_assert_int_eq(err.kind, ERR_FORMAT);
		ck_assert_msg(strstr(err.text, rows[i].says) && strncmp(err.text, "f:", 2) == 0,
			      "%s: %s", rows[i].text, err.text);
		ck_assert_str_eq(list.path, "untouched");
		arena_free(&arena);
	}
}
END_TEST

START_TEST(nul_bytes_and_endless_lines)
{
	struct arena arena = {0};
	struct acceptance_list list = {0};
	struct error err = {0};
	static const char nul[] = "# a\nk | * | 5 us | never | a | r\0s\n";
	char *line = arena_alloc(&arena, ACCEPTANCE_LINE_LIMIT + 64);
	ck_assert_int_eq(
		acceptance_parse(&arena, "f", (struct span){nul, sizeof nul - 1}, &list, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "f:2: not a text file"));
	memset(line, '*', ACCEPTANCE_LINE_LIMIT + 1);
	ck_assert_int_eq(acceptance_parse(&arena, "f", span_of(line), &list, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "f:1: the line has 4097 bytes"));
	arena_free(&arena);
}
END_TEST

/* ---- names ---- */

START_TEST(patterns_name_series)
{
	static const struct {
		const char *pattern;
		bool fits;
	} rows[] = {
		{"attention", true},
		{"attention fused", true},
		{"attention fused, b=1, s=512", true},
		{"attention fused bf16 b=1 s=512", true},
		{"attention s=512 b=1", true},
		{"attention,  s=512 ,", true},
		{"att*", true},
		{"*", true},
		{"a?tention s=5*", true},
		{"* bf16 trn2 trn2.3xlarge 2-core neuron-profile", true},
		{"attention f* s=512", true},
		{"attention unfused", false},
		{"attention s=51", false},
		{"attention s=512 s=1024", false},
		{"attention n=1", false},
		{"attention n=*", false},
		{"attention =512", false},
		{"attention 1-core", false},
		{"attention fp32", false},
		{"attent", false},
		{"attention2", false},
		{"Attention", false},
		{"fused", false},
		{"* *", true},
		{"", false},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ck_assert_msg(acceptance_names(rows[i].pattern, series_run(&arena, "attention")) ==
				      rows[i].fits,
			      "%s", rows[i].pattern);
	/* Kernels in C++; a bar is met by ?. */
	struct run *odd = series_run(&arena, "void gemm<float, 4, a=1>(int, int|)");
	ck_assert(acceptance_names("void gemm<float, 4, a=1>(int, int?)", odd));
	ck_assert(acceptance_names("void gemm<float, 4, a=1>(int, int?) s=512", odd));
	ck_assert(acceptance_names("void gemm<*> s=512", series_run(&arena, "void gemm<a, b>")));
	ck_assert(!acceptance_names("void gemm<float, 4, a=1>(int, int?) s=513", odd));
	ck_assert(!acceptance_names("void gemm<float, 4", odd));
	odd->kernel = odd->variant = odd->dtype = odd->instance_type = NULL;
	odd->cores = 0;
	ck_assert(!acceptance_names("gemm", odd));
	ck_assert(acceptance_names("* unknown-instance", odd));
	ck_assert(!acceptance_names("* 0-core", odd));
	arena_free(&arena);
}
END_TEST

/* ---- limits ---- */

START_TEST(worse_is_a_matter_of_direction)
{
	ck_assert(acceptance_is_worse(48e-6, 47.5e-6, METRIC_LOWER));
	ck_assert(!acceptance_is_worse(47.5e-6, 47.5 * pow(10, -6), METRIC_LOWER));
	ck_assert(!acceptance_is_worse(1e-6, 47.5e-6, METRIC_LOWER));
	ck_assert(acceptance_is_worse(0.27, 0.28, METRIC_HIGHER));
	ck_assert(!acceptance_is_worse(0.29, 0.28, METRIC_HIGHER));
	ck_assert(acceptance_is_worse(999, 1000, METRIC_NEITHER));
	ck_assert(acceptance_is_worse(1001, 1000, METRIC_NEITHER));
	ck_assert(!acceptance_is_worse(1000, 1000, METRIC_NEITHER));
	for (int direction = METRIC_LOWER; direction <= METRIC_NEITHER; direction++)
		ck_assert(acceptance_is_worse(NAN, 1, (enum metric_direction)direction));
	ck_assert(acceptance_is_worse(-0.5, -1, METRIC_LOWER));
	ck_assert(!acceptance_is_worse(0, 0, METRIC_LOWER));
}
END_TEST

/* ---- which line decides ---- */

static enum acceptance_reached reached(void *context, const char *revision)
{
	(void)context;
	return strcmp(revision, "v1") == 0       ? ACCEPTANCE_REACHED_YES
	       : strcmp(revision, "v2") == 0     ? ACCEPTANCE_REACHED_NO
	       : strcmp(revision, "hidden") == 0 ? ACCEPTANCE_REACHED_UNKNOWN
						 : ACCEPTANCE_REACHED_NOWHERE;
}

static const struct acceptance_clock at_noon = {NOON, reached, NULL};

START_TEST(standings)
{
	static const struct {
		const char *expires;
		enum acceptance_standing standing;
	} rows[] = {
		{"never", ACCEPTANCE_VALID},        {"2026-03-01", ACCEPTANCE_VALID},
		{"2026-02-28", ACCEPTANCE_EXPIRED}, {"2026-03-02", ACCEPTANCE_VALID},
		{"v1", ACCEPTANCE_EXPIRED},         {"v2", ACCEPTANCE_VALID},
		{"v3", ACCEPTANCE_WAITING},         {"hidden", ACCEPTANCE_UNCLEAR},
		{"2000-02-29", ACCEPTANCE_EXPIRED}, {"2028-02-29", ACCEPTANCE_VALID},
		{"2.0.1", ACCEPTANCE_WAITING},      {"refs/tags/2026.1.1", ACCEPTANCE_WAITING},
	};
	struct arena arena = {0};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct acceptance_list list = parsed(
			&arena, arena_printf(&arena, "k | * | 1 us | %s | a | r", rows[i].expires));
		ck_assert_msg(acceptance_standing(&list.items[0], &at_noon) == rows[i].standing,
			      "%s", rows[i].expires);
	}
	/* The whole day counts, and not a second more. */
	struct acceptance_list list = parsed(&arena, "k | * | 1 us | 2026-03-01 | a | r");
	struct acceptance_clock clock = at_noon;
	clock.now = list.items[0].end - 1;
	ck_assert_int_eq(acceptance_standing(&list.items[0], &clock), ACCEPTANCE_VALID);
	clock.now++;
	ck_assert_int_eq(acceptance_standing(&list.items[0], &clock), ACCEPTANCE_EXPIRED);
	arena_free(&arena);
}
END_TEST

/* One item against a file: its outcome, by which line, and the states of all lines. */
static const struct {
	const char *file;
	enum metric metric;
	double value;
	bool absent;
	enum acceptance_outcome outcome;
	size_t line;
	const char *states;
} cases[] = {
	{"", METRIC_TOTAL_TIME, 1e-6, false, ACCEPTANCE_OUTCOME_NONE, 0, ""},
	{"k | total_time | 5 us | never | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_ACCEPTED, 1, "used "},
	{"k | total_time | 5 us | never | a | r", METRIC_TOTAL_TIME, 6e-6, false,
	 ACCEPTANCE_OUTCOME_EXCEEDED, 1, "exceeded "},
	{"k | total_time | 5 us | 2026-02-28 | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_LAPSED, 1, "lapsed "},
	/* Lapsed, but it would not have accepted that either. */
	{"k | total_time | 5 us | v1 | a | r", METRIC_TOTAL_TIME, 6e-6, false,
	 ACCEPTANCE_OUTCOME_NONE, 0, "lapsed "},
	{"k | total_time | 5 us | hidden | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_LAPSED, 1, "lapsed "},
	{"k | total_time | 5 us | v3 | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_ACCEPTED, 1, "used "},
	{"j | total_time | 5 us | never | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_NONE, 0, "unused "},
	{"k | host_time | 5 us | never | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_NONE, 0, "unused "},
	/* A limit for all metrics is one for those of its unit. */
	{"k | * | 28 % | never | a | r", METRIC_TOTAL_TIME, 5e-6, false, ACCEPTANCE_OUTCOME_NONE, 0,
	 "unused "},
	{"k | * | 28 % | never | a | r", METRIC_MFU, 0.29, false, ACCEPTANCE_OUTCOME_ACCEPTED, 1,
	 "used "},
	{"k | mfu | 28 % | never | a | r", METRIC_MFU, 0.27, false, ACCEPTANCE_OUTCOME_EXCEEDED, 1,
	 "exceeded "},
	/* The most generous decides, wherever it stands; of equals the first. */
	{"k | total_time | 5 us | never | a | r\n* | * | 9 us | never | a | r", METRIC_TOTAL_TIME,
	 5e-6, false, ACCEPTANCE_OUTCOME_ACCEPTED, 2, "covered used "},
	{"k | total_time | 5 us | never | a | r\n* | * | 9 us | never | a | r", METRIC_TOTAL_TIME,
	 7e-6, false, ACCEPTANCE_OUTCOME_ACCEPTED, 2, "unused used "},
	{"k | total_time | 5 us | never | a | r\n* | * | 9 us | never | a | r", METRIC_TOTAL_TIME,
	 10e-6, false, ACCEPTANCE_OUTCOME_EXCEEDED, 2, "unused exceeded "},
	{"k | mfu | 28 % | never | a | r\nk | mfu | 20 % | never | a | r", METRIC_MFU, 0.3, false,
	 ACCEPTANCE_OUTCOME_ACCEPTED, 2, "covered used "},
	{"k | * | 5 us | never | a | r\nk | * | 5 us | never | a | r", METRIC_TOTAL_TIME, 5e-6,
	 false, ACCEPTANCE_OUTCOME_ACCEPTED, 1, "used covered "},
	/* An expired line does not hide a valid one, and is reported where it would be needed. */
	{"k | * | 9 us | v1 | a | r\nk | * | 5 us | never | a | r", METRIC_TOTAL_TIME, 5e-6, false,
	 ACCEPTANCE_OUTCOME_ACCEPTED, 2, "lapsed used "},
	{"k | * | 9 us | v1 | a | r\nk | * | 5 us | never | a | r", METRIC_TOTAL_TIME, 7e-6, false,
	 ACCEPTANCE_OUTCOME_LAPSED, 1, "lapsed unused "},
	{"k | * | 9 us | v1 | a | r\nk | * | 5 us | never | a | r", METRIC_TOTAL_TIME, 10e-6, false,
	 ACCEPTANCE_OUTCOME_EXCEEDED, 2, "lapsed exceeded "},
	/* A missing series has no value to be below a limit, and a present one is not retired. */
	{"k | * | retired | never | a | r", METRIC_TOTAL_TIME, NAN, true,
	 ACCEPTANCE_OUTCOME_ACCEPTED, 1, "used "},
	{"k | host_time | retired | never | a | r", METRIC_TOTAL_TIME, NAN, true,
	 ACCEPTANCE_OUTCOME_NONE, 0, "unused "},
	{"k | * | retired | v1 | a | r", METRIC_TOTAL_TIME, NAN, true, ACCEPTANCE_OUTCOME_LAPSED, 1,
	 "lapsed "},
	{"k | * | retired | never | a | r", METRIC_TOTAL_TIME, 5e-6, false, ACCEPTANCE_OUTCOME_NONE,
	 0, "unused "},
	{"k | total_time | 5 us | never | a | r", METRIC_TOTAL_TIME, 1e-6, true,
	 ACCEPTANCE_OUTCOME_NONE, 0, "unused "},
	{"k | total_time | 5 us | never | a | r", METRIC_TOTAL_TIME, NAN, false,
	 ACCEPTANCE_OUTCOME_NONE, 0, "unused "},
	/* Where neither way is worse, the very value. */
	{"k | hardware_flops | 1000 FLOP | never | a | r", METRIC_HARDWARE_FLOPS, 1000, false,
	 ACCEPTANCE_OUTCOME_ACCEPTED, 1, "used "},
	{"k | hardware_flops | 1000 FLOP | never | a | r", METRIC_HARDWARE_FLOPS, 990, false,
	 ACCEPTANCE_OUTCOME_EXCEEDED, 1, "exceeded "},
};

START_TEST(which_line_decides)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = {0};
		struct acceptance_use uses[4];
		struct acceptance_list list = parsed(&arena, cases[i].file);
		struct acceptance_item item = {
			.run = series_run(&arena, "k"),
			.metric = cases[i].metric,
			.direction = metric_info(cases[i].metric)->direction,
			.value = cases[i].value,
			.absent = cases[i].absent,
		};
		struct strbuf states = {0};
		acceptance_apply(&list, &at_noon, &item, 1, uses);
		ck_assert_msg(item.outcome == cases[i].outcome, "case %zu: outcome %d", i,
			      item.outcome);
		ck_assert_uint_eq(item.by ? item.by->line : 0, cases[i].line);
		for (size_t k = 0; k < list.count; k++)
			strbuf_addf(&states, "%s ", acceptance_state_name(uses[k].state));
		ck_assert_msg(strcmp(strbuf_text(&states), cases[i].states) == 0, "case %zu: %s", i,
			      strbuf_text(&states));
		const struct message *sentence = acceptance_message(&arena, &list, &item);
		ck_assert_int_eq(!sentence, item.outcome == ACCEPTANCE_OUTCOME_NONE);
		strbuf_free(&states);
		arena_free(&arena);
	}
}
END_TEST

START_TEST(many_items_are_counted)
{
	struct arena arena = {0};
	struct acceptance_use uses[2];
	struct acceptance_item items[4];
	struct acceptance_list list = parsed(
		&arena,
		"* | total_time | 5 us | never | a | r\nk s=9 | * | retired | never | a | r");
	for (size_t i = 0; i < 4; i++)
		items[i] = (struct acceptance_item){.run = series_run(&arena, i ? "k" : "j"),
						    .metric = METRIC_TOTAL_TIME,
						    .direction = METRIC_LOWER,
						    .value = 4.8e-6 + 0.4e-6 * (double)i};
	acceptance_apply(&list, &at_noon, items, 4, uses);
	ck_assert_uint_eq(uses[0].accepted, 1);
	ck_assert_uint_eq(uses[0].exceeded, 3);
	ck_assert_uint_eq(uses[0].covered, 0);
	ck_assert_double_eq_tol(uses[0].excess, 0.2, 1e-9); /* 6 us against 5 us */
	ck_assert_double_eq_tol(items[1].excess, 0.04, 1e-9);
	ck_assert_int_eq(uses[0].state, ACCEPTANCE_STATE_EXCEEDED);
	ck_assert_int_eq(uses[1].state, ACCEPTANCE_STATE_UNUSED);
	ck_assert_str_eq(vocabulary_say(&arena, acceptance_message(&arena, &list, &items[0])),
			 "accepted up to 5 us, f:1, a: r");
	ck_assert_str_eq(vocabulary_say(&arena, acceptance_message(&arena, &list, &items[1])),
			 "5.200 us is worse than the accepted limit 5 us by 4.00 %, f:1, a: r");
	arena_free(&arena);
}
END_TEST

UNIT_MAIN("acceptance", a_file_with_everything, broken_lines_are_told, nul_bytes_and_endless_lines,
	  patterns_name_series, worse_is_a_matter_of_direction, standings, which_line_decides,
	  many_items_are_counted)
