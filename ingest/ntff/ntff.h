/* DOOR */
#pragma once

#include "ingest/ntff/missing_data.h"
#include "ingest/ntff/run.h"
#include "ingest/ntff/summary.h"
