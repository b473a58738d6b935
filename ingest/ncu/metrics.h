/*
 * The quantities that are taken from Nsight Compute (ncu_metrics.def), found by the name of a
 * metric or by section and label of the details page: "Memory Throughput" is a share of the peak
 * in one section and bytes per second in another.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
/* A row of the table; rows of one quantity that come first are preferred. NULL: not needed. The
 * section may be empty: then a label is taken where its kind is that of the unit. */
const struct ncu_metric *ncu_metric_find(struct span section, struct span name, struct span unit);
/* The place of a row in the table, from 1. */
uint16_t ncu_metric_rank(const struct ncu_metric *metric);
/* sm__ops_path_tensor_src_<types>[_sparsity_on|off].sum[.per_cycle_elapsed]: operations of the
 * tensor pipe by type. The types of parts that make up another metric ("op_hmma") are none. */
bool ncu_is_tensor_ops(struct span name, struct span *types, bool *per_cycle);
