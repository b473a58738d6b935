/*
 * Buckets over two sizes, such as batch and sequence length. Never add drawing or loading.
 */
#pragma once

#include "model/sizing/grid/grid_best.h"
#include "model/sizing/grid/grid_buckets.h"
#include "model/sizing/grid/grid_dependence.h"
#include "model/sizing/grid/grid_plans.h"
#include "model/sizing/grid/size_grid.h"
