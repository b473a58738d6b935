/* The first line of a gate, of its comment and of the nightly page: every situation, in English and
 * Chinese. */
#include "unit/unit.h"

#include "model/acceptance/acceptance.h"
#include "render/report/report.h"
#include "render/summary/summary.h"
#include "render/vocabulary/vocabulary.h"

enum { SERIES = 9 };

/* One situation: what the first `count` of nine series are, the others are unchanged. */
struct situation {
	const char *name;
	enum verdict verdict;
	enum exit_status outcome, code;
	size_t count;
	double change;
	bool windowed, confirmed, recovered;
	const char *texts[3][LANGUAGE_COUNT]; /* by enum report_place; NULL: not asked */
};

#define CANDIDATE "3f2a91c0de"
#define OLD "5d1e07ab92"

static const struct situation situations[] = {
	{"first run",
	 VERDICT_NO_BASELINE,
	 EXIT_PASS,
	 EXIT_NO_BASELINE,
	 9,
	 NAN,
	 false,
	 false,
	 false,
	 {{"pass: baseline recorded for 9 series at " CANDIDATE,
	   "通过：已记录 9 个序列的基线（" CANDIDATE "）"},
	  {"pass: baseline recorded for 9 series; the next commit is compared with it",
	   "通过：已记录 9 个序列的基线，后续提交将与之比较"},
	  {"pass: baseline recorded for 9 series", "通过：已记录 9 个序列的基线"}}},
	{"unchanged",
	 VERDICT_UNCHANGED,
	 EXIT_PASS,
	 EXIT_PASS,
	 9,
	 0,
	 false,
	 false,
	 false,
	 {{"pass: 9 of 9 series unchanged", "通过：9 个序列全部持平"},
	  {"pass: 9 of 9 series unchanged", "通过：9 个序列全部持平"},
	  {"pass: no new slowdowns; 0 still open; 9 of 9 series judged",
	   "通过：无新增变慢；0 项未解决；已判定 9/9 个序列"}}},
	{"slower",
	 VERDICT_REGRESSED,
	 EXIT_REGRESSION,
	 EXIT_REGRESSION,
	 1,
	 0.073,
	 false,
	 false,
	 false,
	 {{"fail: 1 of 9 series slower: mlp s=512 +7.3 %",
	   "未通过：9 个序列中 1 个变慢：mlp s=512 +7.3%"},
	  {"fail: 1 of 9 series slower: mlp s=512 +7.3 % (2.73 -> 2.93 ms)",
	   "未通过：9 个序列中 1 个变慢：mlp s=512 +7.3%（2.73 -> 2.93 ms）"},
	  {"fail: 1 new slowdown: mlp s=512 +7.3 % since " CANDIDATE
	   "; 0 still open; 9 of 9 series judged",
	   "未通过：新增 1 项变慢：mlp s=512 +7.3%（自 " CANDIDATE
	   " 起）；0 项未解决；已判定 9/9 个序列"}}},
	{"environment",
	 VERDICT_ENVIRONMENT,
	 EXIT_UNDECIDED,
	 EXIT_UNDECIDED,
	 7,
	 0.061,
	 false,
	 false,
	 false,
	 {{"unclear: 7 of 9 series shifted together by +6.1 %, likely environment; re-measure the "
	   "baseline",
	   "待定：9 个序列中 7 个同时变化 +6.1%，疑为环境变化；请重测基线"},
	  {"unclear: 7 of 9 series shifted together by +6.1 %, likely environment (driver 550.54 "
	   "to 560.28)",
	   "待定：9 个序列中 7 个同时变化 +6.1%，疑为环境变化（driver 550.54 → 560.28）"},
	  {"unclear: 7 of 9 series shifted together by +6.1 %, likely environment; no new "
	   "slowdowns; 0 still open; 9 of 9 series judged",
	   "待定：9 个序列中 7 个同时变化 +6.1%，疑为环境变化；无新增变慢；0 项未解决；已判定 9/9 "
	   "个序列"}}},
	{"suspect",
	 VERDICT_SUSPECT,
	 EXIT_UNDECIDED,
	 EXIT_UNDECIDED,
	 1,
	 0.073,
	 false,
	 false,
	 false,
	 {{"unclear: 1 of 9 series possibly slower, measured once: mlp s=512 +7.3 %; re-measure to "
	   "confirm",
	   "待定：9 个序列中 1 个疑似变慢，仅测量一次：mlp s=512 +7.3%；请重测确认"},
	  {"unclear: 1 of 9 series possibly slower, measured once: mlp s=512 +7.3 % (2.73 -> "
	   "2.93 ms)",
	   "待定：9 个序列中 1 个疑似变慢，仅测量一次：mlp s=512 +7.3%（2.73 -> 2.93 ms）"}}},
	{"suspect at night",
	 VERDICT_SUSPECT,
	 EXIT_PASS,
	 EXIT_PASS,
	 1,
	 0.073,
	 true,
	 false,
	 false,
	 {{NULL},
	  {NULL},
	  {"pass: no new slowdowns; 1 unconfirmed: mlp s=512 +7.3 %; 0 still open; 9 of 9 series "
	   "judged",
	   "通过：无新增变慢；1 项待确认：mlp s=512 +7.3%；0 项未解决；已判定 9/9 个序列"}}},
	{"confirmed",
	 VERDICT_REGRESSED,
	 EXIT_REGRESSION,
	 EXIT_REGRESSION,
	 1,
	 0.073,
	 false,
	 true,
	 false,
	 {{"fail: 1 of 9 series slower, confirmed: mlp s=512 +7.3 %",
	   "未通过：9 个序列中 1 个变慢，已确认：mlp s=512 +7.3%"},
	  {"fail: 1 of 9 series slower, confirmed by a second measurement: mlp s=512 +7.3 % (2.73 "
	   "-> 2.93 ms)",
	   "未通过：9 个序列中 1 个变慢，重测已确认：mlp s=512 +7.3%（2.73 -> 2.93 ms）"},
	  {"fail: 1 slowdown confirmed: mlp s=512 +7.3 % since " CANDIDATE
	   "; 0 still open; 9 of 9 series judged",
	   "未通过：1 项变慢已确认：mlp s=512 +7.3%（自 " CANDIDATE
	   " 起）；0 项未解决；已判定 9/9 个序列"}}},
	{"fixed",
	 VERDICT_IMPROVED,
	 EXIT_PASS,
	 EXIT_PASS,
	 1,
	 -0.068,
	 true,
	 false,
	 true,
	 {{"pass: 1 of 9 series fixed: mlp s=512 -6.8 %; 8 unchanged",
	   "通过：9 个序列中 1 个已修复：mlp s=512 -6.8%；8 个持平"},
	  {"pass: 1 of 9 series fixed: mlp s=512 -6.8 % (2.73 -> 2.54 ms)",
	   "通过：9 个序列中 1 个已修复：mlp s=512 -6.8%（2.73 -> 2.54 ms）"},
	  {"pass: no new slowdowns; 1 fixed: mlp s=512 -6.8 %; 0 still open; 9 of 9 series judged",
	   "通过：无新增变慢；1 项已修复：mlp s=512 -6.8%；0 项未解决；已判定 9/9 个序列"}}},
	{"faster",
	 VERDICT_IMPROVED,
	 EXIT_PASS,
	 EXIT_PASS,
	 1,
	 -0.114,
	 false,
	 false,
	 false,
	 {{"pass: 1 of 9 series faster: mlp s=512 -11.4 %; 8 unchanged",
	   "通过：9 个序列中 1 个变快：mlp s=512 -11.4%；8 个持平"},
	  {"pass: 1 of 9 series faster: mlp s=512 -11.4 % (2.73 -> 2.42 ms)",
	   "通过：9 个序列中 1 个变快：mlp s=512 -11.4%（2.73 -> 2.42 ms）"},
	  {"pass: no new slowdowns; 1 faster: mlp s=512 -11.4 %; 0 still open; 9 of 9 series "
	   "judged",
	   "通过：无新增变慢；1 项变快：mlp s=512 -11.4%；0 项未解决；已判定 9/9 个序列"}}},
	{"too little history",
	 VERDICT_UNDECIDED,
	 EXIT_UNDECIDED,
	 EXIT_UNDECIDED,
	 9,
	 0.01,
	 false,
	 false,
	 false,
	 {{"unclear: too little history for 9 of 9 series: 2 commits, 1 more needed",
	   "待定：9 个序列历史不足：现有 2 个提交，还需 1 个"},
	  {"unclear: too little history for 9 of 9 series: 2 commits, 1 more needed",
	   "待定：9 个序列历史不足：现有 2 个提交，还需 1 个"},
	  {"unclear: too little history for 9 of 9 series; 1 more commit needed",
	   "待定：9 个序列历史不足，还需 1 个提交"}}},
	{"missing",
	 VERDICT_MISSING,
	 EXIT_MISSING,
	 EXIT_MISSING,
	 1,
	 NAN,
	 false,
	 false,
	 false,
	 {{"incomplete: 1 of 9 series missing: mlp s=512, last measured at " OLD,
	   "不完整：9 个序列中 1 个缺失：mlp s=512，上次测量于 " OLD},
	  {"incomplete: 1 of 9 series missing: mlp s=512, last measured at " OLD,
	   "不完整：9 个序列中 1 个缺失：mlp s=512，上次测量于 " OLD},
	  {"incomplete: 1 of 9 series missing: mlp s=512; no new slowdowns; 0 still open; 8 of 9 "
	   "series judged",
	   "不完整：9 个序列中 1 个缺失：mlp s=512；无新增变慢；0 项未解决；已判定 8/9 个序列"}}},
	{"stopped",
	 VERDICT_STALE,
	 EXIT_STALE,
	 EXIT_STALE,
	 1,
	 NAN,
	 false,
	 false,
	 false,
	 {{"incomplete: 1 of 9 series no longer measured: mlp s=512, last at " OLD
	   ", 34 measured commits ago",
	   "不完整：9 个序列中 1 个已停测：mlp s=512，上次为 " OLD "（34 个已测提交之前）"},
	  {"incomplete: 1 of 9 series no longer measured: mlp s=512, last at " OLD,
	   "不完整：9 个序列中 1 个已停测：mlp s=512，上次为 " OLD},
	  {"incomplete: 1 of 9 series no longer measured: mlp s=512, last at " OLD
	   "; no new slowdowns; 0 still open; 8 of 9 series judged",
	   "不完整：9 个序列中 1 个已停测：mlp s=512，上次为 " OLD
	   "；无新增变慢；0 项未解决；已判定 8/9 个序列"}}},
	{"impossible",
	 VERDICT_IMPOSSIBLE,
	 EXIT_MISSING,
	 EXIT_MISSING,
	 1,
	 NAN,
	 false,
	 false,
	 false,
	 {{"incomplete: 1 of 9 series impossible: mlp s=512 1.90 us, roofline minimum 14.2 us",
	   "不完整：9 个序列中 1 个结果不可信：mlp s=512 1.90 us，屋顶线下限 14.2 us"},
	  {"incomplete: 1 of 9 series impossible: mlp s=512 1.90 us is below the roofline minimum "
	   "of 14.2 us",
	   "不完整：9 个序列中 1 个结果不可信：mlp s=512 耗时 1.90 us，低于屋顶线下限 14.2 us"},
	  {"incomplete: 1 impossible time: mlp s=512 1.90 us (minimum 14.2 us); no new slowdowns; "
	   "0 still open; 9 of 9 series judged",
	   "不完整：1 项耗时不可信：mlp s=512 1.90 us（下限 14.2 "
	   "us）；无新增变慢；0 项未解决；已判定 9/9 个序列"}}},
	{"accepted",
	 VERDICT_ACCEPTED,
	 EXIT_PASS,
	 EXIT_PASS,
	 1,
	 0.073,
	 false,
	 false,
	 false,
	 {{"pass: 1 of 9 series slower, accepted: mlp s=512 +7.3 % (limit 3.00 ms, expires "
	   "2027-02-21); 8 unchanged",
	   "通过：9 个序列中 1 个变慢，已接受：mlp s=512 +7.3%（上限 3.00 ms，2027-02-21 到期）；8 "
	   "个持平"},
	  {"pass: 1 of 9 series slower, accepted: mlp s=512 +7.3 % (limit 3.00 ms, expires "
	   "2027-02-21)",
	   "通过：9 个序列中 1 个变慢，已接受：mlp s=512 +7.3%（上限 3.00 ms，2027-02-21 到期）"},
	  {"pass: no new slowdowns; 1 accepted: mlp s=512 +7.3 %; 0 still open; 9 of 9 series "
	   "judged",
	   "通过：无新增变慢；1 项已接受：mlp s=512 +7.3%；0 项未解决；已判定 9/9 个序列"}}},
	{"unproven",
	 VERDICT_UNPROVEN,
	 EXIT_UNDECIDED,
	 EXIT_UNDECIDED,
	 1,
	 -0.92,
	 false,
	 false,
	 false,
	 {{"unclear: 1 of 9 series suspiciously fast: mlp s=512 -92 %, 12x its best so far; "
	   "re-measure with new inputs",
	   "待定：9 个序列中 1 个快得可疑：mlp s=512 -92%，为历史最佳的 12 倍；请用新输入重测"},
	  {"unclear: 1 of 9 series suspiciously fast: mlp s=512 -92 %, 12x its best so far",
	   "待定：9 个序列中 1 个快得可疑：mlp s=512 -92%，为历史最佳的 12 倍"}}},
};

struct made {
	struct arena arena;
	struct policy policy;
	struct revision candidate, old;
	struct run *runs[SERIES];
	struct gate_series series[SERIES];
	struct comparison comparisons[SERIES];
	struct acceptance acceptance;
	struct gate_leap leap;
	const struct message *change;
	struct gate_input input;
	struct gate_result gate;
};

static struct run *run_of(struct arena *arena, size_t i)
{
	struct run *run = run_new(arena);
	run->kernel = i ? arena_printf(arena, "gemm%zu", i) : "mlp";
	run->variant = "";
	if (!i)
		run_set_param(arena, run, "s", "512");
	return run;
}

static const struct message *reason_of(struct made *made, enum verdict verdict)
{
	struct message_value old = message_text(OLD), empty = message_text("");
	struct message_value time = message_quantity(1.9e-6, UNIT_SECOND),
			     floor = message_quantity(14.2e-6, UNIT_SECOND);
	switch (verdict) {
	case VERDICT_UNDECIDED:
		return message_of(&made->arena, MESSAGE_UNDECIDED_FEW_COMMITS, message_integer(2),
				  message_integer(1));
	case VERDICT_STALE:
		return message_of(&made->arena, MESSAGE_STOPPED, old, empty, empty,
				  message_integer(34));
	case VERDICT_IMPOSSIBLE:
		return message_of(&made->arena, MESSAGE_BELOW_MEMORY_TIME, time, floor, empty,
				  empty, empty);
	default:
		return NULL;
	}
}

static void make_one(struct made *made, const struct situation *is, size_t i)
{
	struct comparison *one = &made->comparisons[i];
	bool asked = i < is->count;
	made->runs[i] = run_of(&made->arena, i);
	made->series[i] = (struct gate_series){.key = made->runs[i]->kernel,
					       .run = made->runs[i],
					       .baseline_revision = &made->old};
	*one = (struct comparison){.series = &made->series[i],
				   .run = made->runs[i],
				   .policy = &made->policy,
				   .metric = METRIC_TOTAL_TIME,
				   .first = VERDICT_LIMIT,
				   .second = VERDICT_LIMIT};
	one->judged.verdict = asked ? is->verdict : VERDICT_UNCHANGED;
	one->judged.method = METHOD_BASELINE;
	one->judged.result.p = 1e-3;
	one->judged.change = asked ? is->change : 0;
	one->judged.baseline = 2.73e-3;
	one->judged.candidate = 2.73e-3 * (1 + one->judged.change);
	one->judged.reason = reason_of(made, one->judged.verdict);
	one->status = asked ? is->outcome : EXIT_PASS;
	if (!asked)
		return;
	one->second = is->confirmed ? VERDICT_REGRESSED : VERDICT_LIMIT;
	one->recovered = is->recovered;
	one->first_after = &made->candidate;
	one->acceptance = is->verdict == VERDICT_ACCEPTED ? &made->acceptance : NULL;
	one->accepted = VERDICT_REGRESSED;
	one->leap = is->verdict == VERDICT_UNPROVEN ? &made->leap : NULL;
}

static void make(struct made *made, const struct situation *is)
{
	*made = (struct made){.candidate = {.oid = CANDIDATE "0000", .subject = ""},
			      .old = {.oid = OLD "0000", .subject = ""},
			      .policy = default_policy,
			      .leap = {.time = 1, .best = 12},
			      .acceptance = {.limit = "3.00 ms", .expires = "2027-02-21"}};
	for (size_t i = 0; i < SERIES; i++)
		make_one(made, is, i);
	made->input = (struct gate_input){.candidate = made->candidate,
					  .windowed = is->windowed,
					  .first = is->verdict == VERDICT_NO_BASELINE};
	made->gate = (struct gate_result){.input = &made->input,
					  .comparisons = made->comparisons,
					  .count = SERIES,
					  .series = SERIES,
					  .outcome = is->outcome,
					  .code = is->code};
	made->gate.counts[VERDICT_UNCHANGED] = SERIES - is->count;
	made->gate.counts[is->verdict] += is->count;
	made->gate.judged = gate_is_judged(is->verdict) ? SERIES : SERIES - is->count;
	if (is->verdict == VERDICT_ENVIRONMENT) {
		made->change = message_of(&made->arena, MESSAGE_ENVIRONMENT_CHANGE,
					  message_text("driver"), message_text("550.54"),
					  message_text("560.28"), message_integer(7));
		made->gate.environment = (struct gate_environment){.event = true,
								   .moved = 7,
								   .factor = 1.061,
								   .changes = &made->change,
								   .change_count = 1};
	}
}

static const struct message *title_of(struct made *made, enum report_place place)
{
	struct arena *arena = &made->arena;
	if (place != REPORT_NIGHT)
		return report_headline(arena, &made->gate, place);
	made->input.windowed = true;
	struct nightly nightly = nightly_of(arena, &made->gate, 0);
	return summary_nightly_title(arena, &nightly);
}

START_TEST(each_situation_has_its_sentence)
{
	for (size_t i = 0; i < sizeof situations / sizeof *situations; i++)
		for (int place = REPORT_LINE; place <= REPORT_NIGHT; place++) {
			struct made made;
			make(&made, &situations[i]);
			const struct message *line = report_headline_line(
				&made.arena, &made.gate, title_of(&made, (enum report_place)place));
			for (int language = 0; language < LANGUAGE_COUNT; language++) {
				const char *expected = situations[i].texts[place][language];
				const char *text =
					vocabulary_text(&made.arena, (enum language)language, line);
				ck_assert_msg(!expected || strcmp(text, expected) == 0,
					      "%s:\n%s\n%s", situations[i].name, text, expected);
			}
			arena_free(&made.arena);
		}
}
END_TEST

/* The worst situation leads, the others are counts, and the word agrees with the exit status. */
START_TEST(the_worst_leads)
{
	static const struct {
		enum exit_status outcome, code;
		const char *text;
	} rows[] = {
		{EXIT_REGRESSION, EXIT_REGRESSION,
		 "fail: 1 of 9 series slower: mlp s=512 +7.3 %; 1 missing; 2 new"},
		{EXIT_MISSING, EXIT_REGRESSION,
		 "incomplete: 1 of 9 series missing: gemm1, last measured at " OLD
		 "; 1 slower; 2 new"},
		{EXIT_PASS, EXIT_REGRESSION,
		 "pass: 1 of 9 series slower: mlp s=512 +7.3 %; 1 missing; 2 new"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct made made;
		const struct situation is = {.verdict = VERDICT_REGRESSED,
					     .outcome = rows[i].outcome,
					     .code = rows[i].code,
					     .count = 1,
					     .change = 0.073};
		make(&made, &is);
		made.comparisons[0].status =
			rows[i].outcome == EXIT_REGRESSION ? EXIT_REGRESSION : EXIT_PASS;
		made.comparisons[1].judged.verdict = VERDICT_MISSING;
		made.comparisons[1].status =
			rows[i].outcome == EXIT_PASS ? EXIT_PASS : EXIT_MISSING;
		made.comparisons[2].judged.verdict = made.comparisons[3].judged.verdict =
			VERDICT_NEW;
		made.gate.counts[VERDICT_MISSING] = 1;
		made.gate.counts[VERDICT_NEW] = 2;
		made.gate.counts[VERDICT_UNCHANGED] -= 3;
		const struct message *sentence =
			report_headline(&made.arena, &made.gate, REPORT_LINE);
		ck_assert_str_eq(
			vocabulary_say(&made.arena,
				       report_headline_line(&made.arena, &made.gate, sentence)),
			rows[i].text);
		arena_free(&made.arena);
	}
}
END_TEST

/* A metric that is neither a time nor a rate is worse, not slower, and is named. */
START_TEST(other_metrics_name_themselves)
{
	struct made made;
	make(&made, &situations[2]);
	made.comparisons[0].metric = METRIC_MFU;
	made.comparisons[0].judged.change = -0.041;
	ck_assert_str_eq(
		vocabulary_say(&made.arena, report_headline(&made.arena, &made.gate, REPORT_LINE)),
		"1 of 9 series worse: mlp s=512 MFU -4.1 %");
	arena_free(&made.arena);
}
END_TEST

/* A first measurement that noise cannot explain is slower, not possibly slower. */
START_TEST(what_is_clear_is_said_at_once)
{
	const struct situation is = {.verdict = VERDICT_SUSPECT,
				     .outcome = EXIT_UNDECIDED,
				     .code = EXIT_UNDECIDED,
				     .count = 2,
				     .change = 0.073};
	struct made made;
	make(&made, &is);
	made.comparisons[0].judged.result.p = 1e-7;
	const struct message *sentence = report_headline(&made.arena, &made.gate, REPORT_LINE);
	const struct message *line = report_headline_line(&made.arena, &made.gate, sentence);
	ck_assert_str_eq(vocabulary_say(&made.arena, line),
			 "fail: 1 of 9 series slower, measured once: mlp s=512 +7.3 %; 1 "
			 "unconfirmed; re-measure to confirm");
	arena_free(&made.arena);
}
END_TEST

UNIT_MAIN("headline", each_situation_has_its_sentence, the_worst_leads,
	  other_metrics_name_themselves, what_is_clear_is_said_at_once)
