/*
 * A dictionary from the English words of the forms to Chinese, and the sentences that carry
 * numbers. A rule that is not in the table says itself in English: a sentence in the wrong language
 * is better than none.
 */
#include "render/report/vocabulary.h"

#include <math.h>
#include <string.h>

#include "base/text/quantity.h"
#include "base/strbuf.h"
#include "render/report/report.h"

static const char *const dictionary[][2] = {
	{"Metric", "指标"},
	{"Value", "数值"},
	{"vs Previous", "与之前版本对比"},
	{"Duration", "耗时"},
	{"Duration (host time)", "耗时(主机时间)"},
	{"Achieved TFLOPs/s", "实际TFLOPs/s"},
	{"Achieved GB/s", "实际GB/s"},
	{"algorithmic", "按算法计"},
	{"Tensor engine active", "张量引擎活跃"},
	{"DMA active", "DMA活跃"},
	{"TC Util", "TC利用率"},
	{"Stage", "阶段"},
	{"Duration (us)", "耗时(微秒)"},
	{"Bottleneck", "瓶颈类型"},
	{"Key Issue", "核心问题"},
	{"dtype", "数据类型"},
	{"Previous", "之前值"},
	{"Current", "当前值"},
	{"Change", "变化"},
	{"Memory-bound", "内存受限"},
	{"Compute-bound", "计算受限"},
	{"Latency-bound", "延迟受限"},
	{"Memory- and compute-bound", "内存与计算受限"},
	{"Unknown", "未知"},
	{"unknown", "未知"},
	{"unknown device", "未知设备"},
	{"unknown dtype", "未知数据类型"},
	{"no change", "无变化"},
	{"at most", "至多"},
	{"at the peak rate", "按峰值速率"},
	{"total time", "总耗时"},
	{"host time", "主机时间"},
	{"Total time", "总耗时"},
	{"Host time", "主机时间"},
	{"Achieved FLOP/s", "实际FLOP/s"},
	{"Algorithmic FLOP/s", "按算法计的FLOP/s"},
	{"Algorithmic B/s", "按算法计的B/s"},
	{"MFU (algorithmic)", "MFU(按算法计)"},
	{"Arithmetic intensity", "算术强度"},
	{"HBM traffic", "HBM流量"},
	{"DRAM traffic", "DRAM流量"},
	{"Tensor pipe active", "张量管线活跃"},
	{"DRAM throughput", "DRAM吞吐量"},
	{"Achieved occupancy", "实际Occupancy"},
	{"L2 hit rate", "L2命中率"},
	{"Spilling requests", "溢出请求数"},
	/* What to do: the titles of the rules. */
	{"Capture a later execution", "采集更晚的一次执行"},
	{"Check the capture", "检查采集"},
	{"Check the profile", "检查性能数据"},
	{"Repair the kernel first", "先修复内核"},
	{"Capture with DGE notifications", "采集时打开DGE通知"},
	{"Measure on hardware", "在硬件上测量"},
	{"Reuse the compiled kernel", "复用已编译的内核"},
	{"Amortise the dispatch", "摊薄调度开销"},
	{"Split the work over all physical cores", "把工作分到所有物理核"},
	{"Avoid throttling", "避免降频"},
	{"Overlap the engines", "让各引擎重叠执行"},
	{"Reduce HBM traffic", "减少HBM流量"},
	{"Reduce the traffic", "减少内存流量"},
	{"Remove spills", "消除溢出"},
	{"Remove transposes", "去掉转置"},
	{"Use larger DMA transfers", "增大单次DMA传输"},
	{"Make DMA efficient", "提高DMA效率"},
	{"Remove redundant FLOP", "去掉多余的FLOP"},
	{"Fill the GPU", "填满GPU"},
	{"Even out the last wave", "均衡最后一波"},
	{"Hide latency", "隐藏延迟"},
	{"Reach the theoretical occupancy", "达到理论Occupancy"},
	{"Raise the theoretical occupancy", "提高理论Occupancy"},
	{"Issue more often", "提高指令发射率"},
	{"Feed the tensor pipe", "喂饱张量管线"},
	{"Feed the memory", "喂饱显存带宽"},
	{"Raise occupancy", "提高Occupancy"},
	{"Reuse data in L2", "提高L2中的数据复用"},
	{"Remove register spills", "消除寄存器溢出"},
};

/* What the rules find; {value} and {limit} are the finding's. */
static const struct {
	const char *rule, *text;
} sentences[] = {
	{"startup-dominated", "启动阶段占主导:引擎只有{value}的时间在工作"},
	{"reported-mismatch", "文件自带的比率与其计数器不一致"},
	{"incorrect-result", "结果被标记为不正确"},
	{"missing-dge-metadata", "缺少动态DMA元数据:DMA次数、字节数和占比可能偏低"},
	{"simulation", "性能数据来自仿真,而非硬件"},
	{"recompiled-every-call", "每次调用都重新编译:主机时间减去设备时间为编译时间的{value}"},
	{"dispatch-dominates", "调度开销占主导:主机时间是设备时间的{value}倍"},
	{"idle-core", "{value}个物理核空闲"},
	{"throttled", "降频使各核少做{value}的工作"},
	{"serialization", "最忙的引擎也有{value}的时间空闲:瓶颈是依赖关系,而非吞吐量"},
	{"poor-reuse", "HBM流量是必要输入、输出和权重的{value}倍"},
	{"excess-traffic", "内存流量是该工作按公式所需的{value}倍"},
	{"spills", "溢出重载占HBM读取的{value}"},
	{"transposes", "转置占矩阵乘FLOP的{value}(界限{limit})"},
	{"small-dma", "DMA传输过小:平均{value}(界限{limit})"},
	{"dma-inefficient", "DMA有{value}的时间在工作,MBU却很低"},
	{"low-model-flops", "执行的FLOP中只有{value}属于模型(界限{limit})"},
	{"ncu-sol-differs", "Nsight Compute的SpeedOfLight规则与其数值不一致"},
	{"ncu-sol-small-grid", "SpeedOfLight:网格太小,只有{value}波"},
	{"ncu-sol-latency", "SpeedOfLight:SM和显存吞吐量都低于{limit}"},
	{"ncu-sol-low", "SpeedOfLight:SM和显存吞吐量都低于{limit};每SM波数未知"},
	{"ncu-achieved-occupancy", "实际Occupancy比理论值低{value}"},
	{"ncu-theoretical-occupancy", "理论Occupancy为{value}(界限{limit})"},
	{"ncu-issue-slots", "只用了{value}的发射槽(界限{limit})"},
	{"ncu-tail", "最后一波有{value}的块位空闲"},
	{"health-tensor", "张量管线活跃{value}(健康值高于{limit}):内存或延迟受限"},
	{"health-dram", "DRAM吞吐量{value}(健康值高于{limit}):计算或延迟受限"},
	{"health-occupancy", "实际Occupancy {value}(健康值高于{limit}):寄存器或共享内存压力"},
	{"health-l2", "L2命中率{value}(健康值高于{limit}):数据复用性差"},
	{"health-spills", "寄存器溢出:{value}次本地内存请求"},
	{"health-waves", "每SM波数{value}(健康值高于{limit}):GPU未被充分利用"},
};

const char *words_of(enum words words, const char *english)
{
	if (words == WORDS_CHINESE)
		for (size_t i = 0; i < sizeof dictionary / sizeof *dictionary; i++)
			if (text_eq(dictionary[i][0], english))
				return dictionary[i][1];
	return english;
}

const char *words_change(struct arena *arena, enum words words, enum metric metric,
			 const double values[2])
{
	const char *english = report_change_words(arena, metric, values[0], values[1]);
	double change = values[1] / values[0] - 1;
	if (words == WORDS_ENGLISH || metric_info(metric)->unit != UNIT_SECOND ||
	    !isfinite(change) || change == 0)
		return words_of(words, english);
	return arena_printf(arena, "%s%s(时间%s%s)", change < 0 ? "快" : "慢",
			    report_percent(arena, values[0] / values[1] - 1),
			    change < 0 ? "少" : "多", report_percent(arena, change));
}

const char *words_dtype(enum words words, const char *dtype)
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
	return dtype ? dtype : words_of(words, "unknown dtype");
}

static const char *filled(struct arena *arena, const char *text, const struct finding *finding)
{
	struct strbuf sb = {0};
	while (*text) {
		bool value = strncmp(text, "{value}", 7) == 0;
		if (value || strncmp(text, "{limit}", 7) == 0) {
			quantity_add(&sb, value ? finding->value : finding->threshold,
				     finding->unit);
			text += 7;
		} else {
			strbuf_addch(&sb, *text++);
		}
	}
	return strbuf_into(&sb, arena);
}

const char *words_finding(struct arena *arena, enum words words, const struct finding *finding)
{
	if (words == WORDS_CHINESE)
		for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
			if (text_eq(sentences[i].rule, finding->rule))
				return filled(arena, sentences[i].text, finding);
	return finding->text;
}

const char *words_reason(struct arena *arena, enum words words, const struct run *run,
			 const struct bottleneck *bottleneck)
{
	static const struct {
		enum metric metric;
		const char *name;
		bool gpu;
	} rows[] = {
		{METRIC_MBU, "MBU", false},
		{METRIC_TENSOR_OCCUPANCY, "张量引擎活跃", false},
		{METRIC_DRAM_THROUGHPUT, "DRAM", true},
		{METRIC_TENSOR_PIPE, "TC", true},
	};
	bool gpu = bottleneck->verdict_count > 0;
	struct strbuf sb = {0};
	if (words == WORDS_ENGLISH)
		return bottleneck->reason;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double number = run_number(run, rows[i].metric);
		if (rows[i].gpu != gpu || isnan(number))
			continue;
		strbuf_addf(&sb, "%s%s ", sb.len ? ", " : "", rows[i].name);
		quantity_add(&sb, number, UNIT_FRACTION);
	}
	return sb.len ? strbuf_into(&sb, arena) : "利用率未知";
}

const char *words_roofline(struct arena *arena, enum words words, const struct run *run,
			   const struct bottleneck *bottleneck)
{
	double intensity = run_number(run, METRIC_ARITHMETIC_INTENSITY);
	if (words == WORDS_ENGLISH)
		return bottleneck->roofline;
	if (bottleneck->side == BOUND_UNKNOWN)
		return "";
	if (isnan(intensity))
		intensity = run_number(run, METRIC_ALGORITHMIC_INTENSITY);
	return arena_printf(arena, "算术强度%s,位于屋顶线的%s一侧",
			    quantity_text(arena, intensity, UNIT_FLOP_PER_BYTE),
			    bottleneck->side == BOUND_MEMORY ? "内存" : "计算");
}
