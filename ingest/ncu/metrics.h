/*
 * The quantities that are read from Nsight Compute (ncu_metrics.def). They are found by the name of
 * a metric, or by the section and label of the details page: a label alone is ambiguous, because
 * "Memory Throughput" is a share of the peak in one section and bytes per second in another.
 */
#pragma once

#include "base/base.h"
#include "ingest/ncu/value.h"

enum ncu_quantity {
#define QUANTITY(ID, KIND) NCU_##ID,
#include "ingest/ncu/metrics.def"
	NCU_QUANTITY_COUNT
};

struct ncu_metric {
	enum ncu_quantity quantity;
	double factor;
	const char *name;
};

enum ncu_kind ncu_quantity_kind(enum ncu_quantity quantity);
/* The row of a metric; NULL if it is not needed. If several rows have the same quantity, earlier
 * ones are preferred. With an empty section, a label matches if its kind is that of the unit. */
const struct ncu_metric *ncu_metric_find(struct span section, struct span name, struct span unit);
/* The position of a row in the table, from 1. */
uint16_t ncu_metric_rank(const struct ncu_metric *metric);
/* sm__ops_path_tensor_src_<types>[_sparsity_on|off].sum[.per_cycle_elapsed]: operations of the
 * tensor pipe by type. Metrics that are parts of another metric ("op_hmma") do not count. */
bool ncu_is_tensor_ops(struct span name, struct span *types, bool *per_cycle);
