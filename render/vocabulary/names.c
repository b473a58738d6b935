/* What the model names, in the words for people: verdicts, metrics and dtypes. */
#include "render/vocabulary/vocabulary.h"

/* The second column is NULL where a time or a rate does not differ from other metrics. */
static const struct words {
	const char *speed, *other;
} verdicts[LANGUAGE_COUNT][VERDICT_WORDS_LIMIT] = {
	[LANGUAGE_ENGLISH] =
		{
			[VERDICT_REGRESSED] = {"slower", "worse"},
			[VERDICT_FAILED] = {"slower (limit)", "worse (limit)"},
			[VERDICT_DRIFT] = {"slower (drift)", "worse (drift)"},
			[VERDICT_IMPOSSIBLE] = {"impossible", NULL},
			[VERDICT_MISSING] = {"missing", NULL},
			[VERDICT_INCOMPARABLE] = {"missing (other setup)", NULL},
			[VERDICT_SUSPECT] = {"unclear (unconfirmed)", NULL},
			[VERDICT_UNPROVEN] = {"unclear (unproven)", NULL},
			[VERDICT_ENVIRONMENT] = {"unclear (environment)", NULL},
			[VERDICT_UNDECIDED] = {"unclear", NULL},
			[VERDICT_NO_BASELINE] = {"new", NULL},
			[VERDICT_STALE] = {"missing (stopped)", NULL},
			[VERDICT_NEW] = {"new", NULL},
			[VERDICT_ACCEPTED] = {"slower (accepted)", "worse (accepted)"},
			[VERDICT_IMPROVED] = {"faster", "better"},
			[VERDICT_UNCHANGED] = {"unchanged", NULL},
			[VERDICT_HELD] = {"unchanged (within limit)", NULL},
			[VERDICT_WORDS_CLEAR] = {"slower (unconfirmed)", "worse (unconfirmed)"},
		},
	[LANGUAGE_CHINESE] =
		{
			[VERDICT_REGRESSED] = {"变慢", "变差"},
			[VERDICT_FAILED] = {"变慢（超限）", "变差（超限）"},
			[VERDICT_DRIFT] = {"变慢（缓慢退化）", "变差（缓慢退化）"},
			[VERDICT_IMPOSSIBLE] = {"不可信", NULL},
			[VERDICT_MISSING] = {"缺失", NULL},
			[VERDICT_INCOMPARABLE] = {"缺失（测量条件不同）", NULL},
			[VERDICT_SUSPECT] = {"待定（待确认）", NULL},
			[VERDICT_UNPROVEN] = {"待定（提升未证实）", NULL},
			[VERDICT_ENVIRONMENT] = {"待定（环境变化）", NULL},
			[VERDICT_UNDECIDED] = {"待定", NULL},
			[VERDICT_NO_BASELINE] = {"新增", NULL},
			[VERDICT_STALE] = {"缺失（已停测）", NULL},
			[VERDICT_NEW] = {"新增", NULL},
			[VERDICT_ACCEPTED] = {"变慢（已接受）", "变差（已接受）"},
			[VERDICT_IMPROVED] = {"变快", "变好"},
			[VERDICT_UNCHANGED] = {"持平", NULL},
			[VERDICT_HELD] = {"持平（限值内）", NULL},
			[VERDICT_WORDS_CLEAR] = {"变慢（待确认）", "变差（待确认）"},
		},
};

const char *vocabulary_verdict(enum language language, int words, bool is_speed)
{
	assert(words >= 0 && words < VERDICT_WORDS_LIMIT && verdicts[language][words].speed);
	const struct words *row = &verdicts[language][words];
	return is_speed || !row->other ? row->speed : row->other;
}

const char *vocabulary_verdict_in_table(struct arena *arena, const char *words, size_t columns)
{
	enum { WIDE = 100 };
	const char *qualifier = strstr(words, " (");
	if (!qualifier || columns >= WIDE || strcmp(qualifier, " (accepted)") == 0)
		return words;
	/* It is not the word of a regression that is proven. */
	bool open = words[0] != 'u' && strcmp(qualifier, " (unconfirmed)") == 0;
	return arena_printf(arena, "%.*s%s", (int)(qualifier - words), words, open ? "?" : "");
}

/* Metrics of the comparison with a baseline; the others keep their English titles. */
static const char *const metrics[METRIC_COUNT] = {
	[METRIC_TOTAL_TIME] = "总耗时",
	[METRIC_HOST_TIME] = "主机耗时",
	[METRIC_ACHIEVED_FLOPS] = "实际 FLOP/s",
	[METRIC_ALGORITHMIC_RATE] = "算法 FLOP/s",
	[METRIC_ALGORITHMIC_BANDWIDTH] = "算法 B/s",
	[METRIC_MFU_ALGORITHMIC] = "MFU（按算法估算）",
	[METRIC_ARITHMETIC_INTENSITY] = "算术强度",
	[METRIC_HBM_BYTES] = "HBM 访存量",
	[METRIC_TENSOR_OCCUPANCY] = "张量引擎活跃率",
	[METRIC_DMA_OCCUPANCY] = "DMA 活跃率",
	[METRIC_TENSOR_PIPE] = "张量流水线利用率",
	[METRIC_DRAM_THROUGHPUT] = "DRAM 吞吐率",
	[METRIC_ACHIEVED_OCCUPANCY] = "实际占用率",
	[METRIC_L2_HIT_RATE] = "L2 命中率",
	[METRIC_SPILL_REQUESTS] = "寄存器溢出请求数",
};

const char *vocabulary_metric(enum language language, enum metric metric)
{
	return language == LANGUAGE_CHINESE && metrics[metric] ? metrics[metric]
							       : metric_info(metric)->title;
}

const char *vocabulary_dtype(enum language language, const char *dtype)
{
	static const struct {
		const char *name, *text;
	} rows[] = {
		{"bf16", "bfloat16"}, {"fp16", "float16"},  {"fp32", "float32"},
		{"fp64", "float64"},  {"tf32", "tfloat32"}, {"fp8", "float8"},
	};
	for (size_t i = 0; dtype && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(dtype, rows[i].name) == 0)
			return rows[i].text;
	return dtype ? dtype : vocabulary_term(language, MESSAGE_DTYPE_UNKNOWN);
}
