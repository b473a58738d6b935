/*
 * One kernel over many sizes: sweeps, buckets, tiles, fusion. Never add drawing or loading.
 */
#pragma once

#include "model/sizing/bucket_plans.h"
#include "model/sizing/buckets.h"
#include "model/sizing/dependence.h"
#include "model/sizing/fusion.h"
#include "model/sizing/fusion_coverage.h"
#include "model/sizing/fusion_shapes.h"
#include "model/sizing/fusion_works.h"
#include "model/sizing/sweep.h"
#include "model/sizing/tiles.h"
