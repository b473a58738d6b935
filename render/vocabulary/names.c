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

/* Metrics without a row keep their English titles. */
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
	[METRIC_VECTOR_PIPE] = "向量流水线利用率",
	[METRIC_GPU_ACTIVE_CYCLES] = "GPU 活跃周期",
	[METRIC_MATRIX_BUSY_CYCLES] = "矩阵流水线忙碌周期",
	[METRIC_VECTOR_ACTIVE_CYCLES] = "向量流水线活跃周期",
	[METRIC_WAVE_CYCLES] = "波前周期",
	[METRIC_UNITS_PER_DIE] = "每个芯粒的计算单元数",
	[METRIC_WAVE_SLOTS] = "每个计算单元的波前槽数",
	[METRIC_DRAM_THROUGHPUT] = "DRAM 吞吐率",
	[METRIC_ACHIEVED_OCCUPANCY] = "实际占用率",
	[METRIC_L2_HIT_RATE] = "L2 命中率",
	[METRIC_SPILL_REQUESTS] = "寄存器溢出请求数",
	[METRIC_TOTAL_ACTIVE_TIME] = "活跃时间",
	[METRIC_COMPILE_TIME] = "编译时间",
	[METRIC_COMPILE_COUNT] = "编译次数",
	[METRIC_CACHED_NEFF_COUNT] = "命中缓存的 NEFF",
	[METRIC_HOST_OVERHEAD] = "主机耗时 / 设备耗时",
	[METRIC_THROUGHPUT] = "吞吐量",
	[METRIC_ACTIVE_FRACTION] = "活跃率",
	[METRIC_SERIALIZATION_GAP] = "串行空隙",
	[METRIC_HARDWARE_FLOPS] = "硬件 FLOP",
	[METRIC_TRANSPOSE_FLOPS] = "转置 FLOP",
	[METRIC_MODEL_FLOPS] = "模型 FLOP",
	[METRIC_USEFUL_FLOPS] = "有效 FLOP",
	[METRIC_TRANSPOSE_FRACTION] = "转置占比",
	[METRIC_HBM_READ_BYTES] = "HBM 读取量",
	[METRIC_HBM_WRITE_BYTES] = "HBM 写入量",
	[METRIC_ACHIEVED_BANDWIDTH] = "实际 B/s",
	[METRIC_REUSE] = "HBM 访存量 / 必要访存量",
	[METRIC_MFU_MAX] = "可达到的最高 MFU",
	[METRIC_MBU_MIN_READ] = "MBU（必要读取）",
	[METRIC_CORE_RIDGE] = "单核脊点",
	[METRIC_RIDGE] = "脊点",
	[METRIC_ATTAINABLE_FLOPS] = "可达 FLOP/s",
	[METRIC_ROOFLINE_EFFICIENCY] = "屋顶线效率",
	[METRIC_PEAK_CORE_FLOPS] = "单核峰值 FLOP/s",
	[METRIC_PEAK_BANDWIDTH] = "HBM 峰值 B/s",
	[METRIC_MATMUL_COUNT] = "矩阵乘指令数",
	[METRIC_ACTIVATE_COUNT] = "激活指令数",
	[METRIC_ACTIVATE_TIME] = "激活指令时间",
	[METRIC_DMA_ACTIVE_TIME] = "DMA 活跃时间",
	[METRIC_DMA_TRANSFER_COUNT] = "DMA 传输次数",
	[METRIC_DMA_TRANSFER_BYTES] = "DMA 传输字节",
	[METRIC_DMA_TRANSFER_TIME] = "DMA 传输时间",
	[METRIC_DMA_AVERAGE_BYTES] = "DMA 平均传输量",
	[METRIC_DMA_QUEUE_COUNT] = "DMA 队列数",
	[METRIC_SBUF_READ_BYTES] = "SBUF 读取量",
	[METRIC_SBUF_WRITE_BYTES] = "SBUF 写入量",
	[METRIC_PSUM_READ_BYTES] = "PSUM 读取量",
	[METRIC_PSUM_WRITE_BYTES] = "PSUM 写入量",
	[METRIC_PSUM_TO_SBUF_BYTES] = "PSUM 至 SBUF",
	[METRIC_SPILL_SAVE_BYTES] = "溢出写出量",
	[METRIC_SPILL_RELOAD_BYTES] = "溢出重载量",
	[METRIC_INPUTS_WEIGHTS_BYTES] = "输入与权重",
	[METRIC_INPUTS_OUTPUTS_WEIGHTS_BYTES] = "输入、输出与权重",
	[METRIC_WEIGHT_BYTES] = "权重",
	[METRIC_EVENT_COUNT] = "事件数",
	[METRIC_TRACE_COUNT] = "跟踪记录数",
	[METRIC_CYCLE_COUNT] = "核周期数",
	[METRIC_THROTTLE_TIME] = "降频时间",
	[METRIC_THROTTLE_LOSS] = "降频损失",
	[METRIC_DEVICE_MEMORY_BYTES] = "设备内存用量",
	[METRIC_ALGORITHMIC_FLOPS] = "算法 FLOP",
	[METRIC_ALGORITHMIC_BYTES] = "算法字节",
	[METRIC_ALGORITHMIC_INTENSITY] = "算法强度",
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
