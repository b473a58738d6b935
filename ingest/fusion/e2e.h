/* End-to-end times of a model under the strategies never, always and smart. */
#ifndef INGEST_FUSION_E2E_H
#define INGEST_FUSION_E2E_H

#include "ingest/reader.h"

extern const struct reader fusion_e2e_reader;

#endif
