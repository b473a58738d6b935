/*
 * What follows from the quantities of one launch by formula: traffic from rates, FLOP from
 * instructions, peaks from what the file says of the device. All SI, NAN unknown.
 */
#pragma once

#include "ingest/ncu/profile.h"

double ncu_time(const struct ncu_launch *launch); /* cycles / clock, without a duration */
double ncu_tensor_pipe(const struct ncu_launch *launch);
/* Bytes; where they were not counted, rate x duration. */
double ncu_dram_read(const struct ncu_launch *launch);
double ncu_dram_written(const struct ncu_launch *launch);
double ncu_dram_total(const struct ncu_launch *launch); /* only without read and written */
double ncu_l2_bytes(const struct ncu_launch *launch);
double ncu_l1_bytes(const struct ncu_launch *launch);
double ncu_fp16_flops(const struct ncu_launch *launch);
double ncu_fp32_flops(const struct ncu_launch *launch);
double ncu_fp64_flops(const struct ncu_launch *launch);
/* Operations by types, or where an older architecture has none: instructions of a known size, or
 * none because the pipe did not run. */
double ncu_tensor_flops(const struct ncu_launch *launch);
/* The four together; NAN when one of them is unknown. */
double ncu_hardware_flops(const struct ncu_launch *launch);
double ncu_peak_l2(const struct ncu_launch *launch);
double ncu_peak_l1(const struct ncu_launch *launch);
/* *error is how much of it may be due to rounding: 0 for what the device states. */
double ncu_peak_dram(const struct ncu_launch *launch, double *error);
