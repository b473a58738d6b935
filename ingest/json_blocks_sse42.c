/* json_blocks.h with SSE2 and what came until SSE4.2: products without carries, bit counts. */
#if defined __SSE4_2__
#include "ingest/json_blocks_sse.h"
#define json_blocks_kernel json_blocks_sse42
#include "ingest/json_blocks_kernel.h"
#else
extern int json_blocks_no_sse42;
int json_blocks_no_sse42;
#endif
