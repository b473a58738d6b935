/*
 * The GPU while a program is measured, as nvidia-smi sees it: the first one of
 * CUDA_VISIBLE_DEVICES, else number 0. For AWS Neuron, whether another process has a device.
 */
#pragma once

#include "cli/context.h"
#include "model/run/run.h"

struct gpu;

/* Warns of other processes on the device. */
void gpu_look(struct cli *cli);
/* *gpu is NULL without nvidia-smi, or if it knows no GPU. ERR_SYSTEM if the clocks cannot be
 * locked; nothing is locked then. */
int gpu_begin(struct cli *cli, bool lock_clocks, struct gpu **gpu, struct error *err);
/* Stops watching and restores the clocks. NULL is allowed, as below. */
void gpu_end(struct gpu *gpu);
void gpu_note(const struct gpu *gpu, struct arena *arena, struct run *run);
