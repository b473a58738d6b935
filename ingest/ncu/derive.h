/*
 * Formulas over the quantities of a launch: traffic from rates, FLOP from instruction counts, peaks
 * from what the file states about the device. All results are in SI units; NAN unknown.
 */
#pragma once

#include "ingest/ncu/profile.h"

double ncu_time(const struct ncu_launch *launch); /* the duration, else cycles / clock */
double ncu_tensor_pipe(const struct ncu_launch *launch);
/* Bytes; rate x duration if they were not counted. */
double ncu_dram_read(const struct ncu_launch *launch);
double ncu_dram_written(const struct ncu_launch *launch);
double ncu_dram_total(const struct ncu_launch *launch); /* only if read or written is unknown */
double ncu_l2_bytes(const struct ncu_launch *launch);
double ncu_l1_bytes(const struct ncu_launch *launch);
double ncu_fp16_flops(const struct ncu_launch *launch);
double ncu_fp32_flops(const struct ncu_launch *launch);
double ncu_fp64_flops(const struct ncu_launch *launch);
/* FLOP of the tensor pipe, summed over its types. Older architectures do not count operations by
 * type: there it follows from instructions of a known size, or is 0 if the pipe was idle. */
double ncu_tensor_flops(const struct ncu_launch *launch);
/* The sum of the four functions above; NAN if one of them is unknown. */
double ncu_hardware_flops(const struct ncu_launch *launch);
double ncu_peak_l2(const struct ncu_launch *launch);
double ncu_peak_l1(const struct ncu_launch *launch);
/* Bytes per second. *error is the relative error due to rounding:
 * 0 if the device states the peak. */
double ncu_peak_dram(const struct ncu_launch *launch, double *error);
