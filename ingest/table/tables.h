/* DOOR */
#pragma once

#include "ingest/table/column_map.h"
#include "ingest/table/csv.h"
#include "ingest/table/lines.h"
#include "ingest/table/request_sizes.h"
#include "ingest/table/row_reader.h"
#include "ingest/table/series_csv.h"
