/* json_blocks.h with SSE2 and what came until SSE4.2: products without carries, bit counts. */
#if defined __SSE4_2__ && defined __PCLMUL__
#include "ingest/json_blocks_clmul.h"
#include "ingest/json_blocks_sse.h"
#define json_blocks_kernel json_blocks_sse42
#include "ingest/json_blocks_kernel.h"
#define json_pass_kernel json_pass_sse42
#include "ingest/json_pass_kernel.h"
#else
extern int json_blocks_no_sse42;
int json_blocks_no_sse42;
#endif
