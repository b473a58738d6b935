/*
 * Where the mean of a series shifted for good. Never add policies, verdicts or anything about a
 * candidate.
 */
#pragma once

#include "model/changepoint/detect.h"
#include "model/changepoint/location_interval.h"
#include "model/changepoint/measured_series.h"
