/*
 * Kernels, launches, groups and totals gathered while a file streams by. Never add the syntax of
 * any format.
 */
#pragma once

#include "ingest/collect/bounded_text.h"
#include "ingest/collect/kernel_name.h"
#include "ingest/collect/kernel_runs.h"
#include "ingest/collect/launches.h"
#include "ingest/collect/result_memory.h"
#include "ingest/collect/row_groups.h"
#include "ingest/collect/tally.h"
