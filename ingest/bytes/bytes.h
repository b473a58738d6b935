/*
 * Bytes from files and pipes, unpacked and read ahead. Never add tokens, lines or formats.
 */
#pragma once

#include "ingest/bytes/byte_source.h"
#include "ingest/bytes/compression.h"
#include "ingest/bytes/inflate.h"
#include "ingest/bytes/read_ahead.h"
