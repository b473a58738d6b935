/*
 * Distributions, noise, medians and false discovery rates. Never add anything that knows commits,
 * runs or verdicts.
 */
#pragma once

#include "model/statistics/distributions.h"
#include "model/statistics/error_density.h"
#include "model/statistics/false_discovery.h"
#include "model/statistics/median.h"
#include "model/statistics/noise.h"
