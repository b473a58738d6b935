/* DOOR */
#pragma once

#include "ingest/bytes/byte_source.h"
#include "ingest/bytes/compression.h"
#include "ingest/bytes/inflate.h"
#include "ingest/bytes/read_ahead.h"
