/* profile_result.json: what the FusionScheduler loads, times fused and unfused by operator. */
#ifndef INGEST_FUSION_PROFILE_H
#define INGEST_FUSION_PROFILE_H

#include "ingest/reader.h"

extern const struct reader fusion_profile_reader;

#endif
