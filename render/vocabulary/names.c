/* The Chinese names of what the model names in English: verdicts, metrics and dtypes. */
#include "render/vocabulary/vocabulary.h"

static const char *const verdicts[VERDICT_LIMIT] = {
	[VERDICT_REGRESSED] = "变差",
	[VERDICT_FAILED] = "超限",
	[VERDICT_DRIFT] = "缓慢退化",
	[VERDICT_IMPOSSIBLE] = "不可能",
	[VERDICT_MISSING] = "缺失",
	[VERDICT_INCOMPARABLE] = "测量条件不同",
	[VERDICT_SUSPECT] = "待确认",
	[VERDICT_UNPROVEN] = "待证实",
	[VERDICT_ENVIRONMENT] = "环境变化",
	[VERDICT_UNDECIDED] = "待定",
	[VERDICT_NO_BASELINE] = "无基线",
	[VERDICT_STALE] = "已停测",
	[VERDICT_NEW] = "新增",
	[VERDICT_ACCEPTED] = "已接受",
	[VERDICT_IMPROVED] = "变好",
	[VERDICT_UNCHANGED] = "持平",
	[VERDICT_HELD] = "限值内",
};

const char *vocabulary_verdict(enum language language, enum verdict verdict)
{
	assert(verdict < VERDICT_LIMIT && verdicts[verdict]);
	return language == LANGUAGE_CHINESE ? verdicts[verdict] : verdict_name(verdict);
}

/* Metrics of the comparison with a baseline; the others keep their English titles. */
static const char *const metrics[METRIC_COUNT] = {
	[METRIC_TOTAL_TIME] = "总耗时",
	[METRIC_HOST_TIME] = "主机耗时",
	[METRIC_ACHIEVED_FLOPS] = "实测 FLOP/s",
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
