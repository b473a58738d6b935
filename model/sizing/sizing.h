/*
 * One kernel over many sizes: sweeps, buckets and tiles. Never add drawing or loading.
 */
#pragma once

#include "model/sizing/bucket_plans.h"
#include "model/sizing/buckets.h"
#include "model/sizing/dependence.h"
#include "model/sizing/sweep.h"
#include "model/sizing/tiles.h"
