/* DOOR */
#pragma once

#include "model/changepoint/detect.h"
#include "model/changepoint/location_interval.h"
#include "model/changepoint/measured_series.h"
