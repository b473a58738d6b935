/* Formulas over the hardware counters of AMD GPUs. */
#include "ingest/rocm/amd_counters.h"

enum { FP16, FP32, FP64, TENSOR, READ, WRITE, L2, L1, HARDWARE, ACTIVE, MATRIX, VECTOR, WAVES };

const struct launch_metric amd_metrics[amd_metric_count] = {
	[FP16] = {METRIC_FP16_FLOPS, PROVENANCE_DERIVED, NULL},
	[FP32] = {METRIC_FP32_FLOPS, PROVENANCE_DERIVED, NULL},
	[FP64] = {METRIC_FP64_FLOPS, PROVENANCE_DERIVED, NULL},
	[TENSOR] = {METRIC_TENSOR_FLOPS, PROVENANCE_DERIVED, NULL},
	[READ] = {METRIC_HBM_READ_BYTES, PROVENANCE_DERIVED, NULL},
	[WRITE] = {METRIC_HBM_WRITE_BYTES, PROVENANCE_DERIVED, NULL},
	[L2] = {METRIC_L2_BYTES, PROVENANCE_DERIVED, NULL},
	[L1] = {METRIC_L1_BYTES, PROVENANCE_DERIVED, NULL},
	[HARDWARE] = {METRIC_HARDWARE_FLOPS, PROVENANCE_DERIVED, NULL},
	[ACTIVE] = {METRIC_GPU_ACTIVE_CYCLES, PROVENANCE_MEASURED, NULL},
	[MATRIX] = {METRIC_MATRIX_BUSY_CYCLES, PROVENANCE_MEASURED, NULL},
	[VECTOR] = {METRIC_VECTOR_ACTIVE_CYCLES, PROVENANCE_DERIVED, NULL},
	[WAVES] = {METRIC_WAVE_CYCLES, PROVENANCE_DERIVED, NULL},
};

/* A vector instruction operates on a wavefront of 64 lanes. MOPS counts units of 512 operations. */
#define VALU(metric, type)                                                                         \
	{metric, "SQ_INSTS_VALU_ADD_" type, 64, false},                                            \
		{metric, "SQ_INSTS_VALU_MUL_" type, 64, false},                                    \
		{metric, "SQ_INSTS_VALU_TRANS_" type, 64, false},                                  \
	{                                                                                          \
		metric, "SQ_INSTS_VALU_FMA_" type, 128, false                                      \
	}
#define MFMA(type)                                                                                 \
	{                                                                                          \
		TENSOR, "SQ_INSTS_VALU_MFMA_MOPS_" type, 512, false                                \
	}

/*
 * The sizes of memory requests are 32, 64 or, on MI300, 128 bytes. RDREQ (R) counts all of them,
 * R32 those of 32 bytes, and TCC_BUBBLE (B) those of 128 bytes:
 *
 *   128 B + 64 (R - B - R32) + 32 R32 = 64 R + 64 B - 32 R32
 *
 * MI300 names its counters TCC_EA0. On each architecture the rows of the other one have no
 * counters.
 */
static const struct {
	int metric;
	const char *name;
	double factor;
	bool optional; /* older devices and versions lack the counter */
} terms[] = {
	VALU(FP16, "F16"),
	VALU(FP32, "F32"),
	VALU(FP64, "F64"),
	MFMA("F16"),
	MFMA("BF16"),
	MFMA("F32"),
	MFMA("F64"),
	{READ, "TCC_EA_RDREQ_sum", 64, false},
	{READ, "TCC_EA_RDREQ_32B_sum", -32, false},
	{WRITE, "TCC_EA_WRREQ_sum", 32, false},
	{WRITE, "TCC_EA_WRREQ_64B_sum", 32, false},
	{READ, "TCC_EA0_RDREQ_sum", 64, false},
	{READ, "TCC_EA0_RDREQ_32B_sum", -32, false},
	{READ, "TCC_BUBBLE_sum", 64, false},
	{WRITE, "TCC_EA0_WRREQ_sum", 32, false},
	{WRITE, "TCC_EA0_WRREQ_64B_sum", 32, false},
	{L2, "TCP_TCC_READ_REQ_sum", 64, false},
	{L2, "TCP_TCC_WRITE_REQ_sum", 64, false},
	{L2, "TCP_TCC_ATOMIC_WITH_RET_REQ_sum", 64, false},
	{L2, "TCP_TCC_ATOMIC_WITHOUT_RET_REQ_sum", 64, false},
	{L1, "TCP_TOTAL_CACHE_ACCESSES_sum", 64, false},
	{TENSOR, "SQ_INSTS_VALU_MFMA_MOPS_F8", 512, true},
	{TENSOR, "SQ_INSTS_VALU_MFMA_MOPS_XF32", 512, true},
	{TENSOR, "SQ_INSTS_VALU_MFMA_MOPS_F6F4", 512, true},
	{ACTIVE, "GRBM_GUI_ACTIVE", 1, false},
	{MATRIX, "SQ_VALU_MFMA_BUSY_CYCLES", 1, false},
	/* These count in units of 4 cycles. */
	{VECTOR, "SQ_ACTIVE_INST_VALU", 4, false},
	{WAVES, "SQ_WAVE_CYCLES", 4, false},
};
enum { term_count = sizeof terms / sizeof *terms };
enum { EA_FIRST = 16, EA_COUNT = 4, EA0_FIRST = EA_FIRST + EA_COUNT, EA0_COUNT = 5 };
_Static_assert(term_count <= (int)amd_term_limit, "room for every term");

static const size_t nowhere = (size_t)-1;

struct amd_columns rocm_counter_columns_of(const struct span *names, size_t count)
{
	struct amd_columns columns;
	for (int t = 0; t < amd_term_limit; t++)
		columns.at[t] = nowhere;
	for (size_t i = 0; i < count; i++)
		for (int t = 0; t < term_count; t++)
			if (columns.at[t] == nowhere && span_is(names[i], terms[t].name))
				columns.at[t] = i;
	return columns;
}

bool rocm_counter_columns_use(const struct amd_columns *columns, size_t column)
{
	for (int t = 0; t < term_count; t++)
		if (columns->at[t] == column)
			return true;
	return false;
}

/* Whether the term is the other architecture's name of a counter. */
static bool is_foreign(int term, bool mi300)
{
	int first = mi300 ? EA_FIRST : EA0_FIRST;
	return term >= first && term < first + (mi300 ? EA_COUNT : EA0_COUNT);
}

void rocm_counters_derive(const struct amd_columns *columns, const double *numbers,
			  double values[amd_metric_count])
{
	bool mi300 = columns->at[EA0_FIRST] != nowhere;
	for (int i = 0; i < amd_metric_count; i++)
		values[i] = 0;
	for (int t = 0; t < term_count; t++) {
		size_t at = columns->at[t];
		if (!is_foreign(t, mi300) && !(terms[t].optional && at == nowhere))
			values[terms[t].metric] +=
				terms[t].factor * (at == nowhere ? NAN : numbers[at]);
	}
	/* On MI300 the size of a read request between L1 and L2 is not always 64 bytes. */
	if (mi300)
		values[L2] = NAN;
	values[HARDWARE] = values[FP16] + values[FP32] + values[FP64] + values[TENSOR];
	for (int i = 0; i < amd_metric_count; i++)
		if (values[i] < 0)
			values[i] = NAN;
}
