/* The labels of the fixed forms: titles of rows and columns, as the Chinese forms specify them. */
#include "render/vocabulary/vocabulary.h"

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
	{"unknown", "未知"},
	{"unknown device", "未知设备"},
	{"unknown dtype", "未知数据类型"},
	{"no change", "无变化"},
	{"at most", "至多"},
	{"at the peak rate", "按峰值速率"},
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
};

const char *vocabulary_label(enum language language, const char *english)
{
	if (language == LANGUAGE_CHINESE)
		for (size_t i = 0; i < sizeof dictionary / sizeof *dictionary; i++)
			if (span_text_eq(dictionary[i][0], english))
				return dictionary[i][1];
	return english;
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
	return dtype ? dtype : vocabulary_label(language, "unknown dtype");
}
