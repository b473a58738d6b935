/* json_blocks.h with SSE2, which every x86-64 has. */
#if defined __SSE2__
#include "ingest/json/simd/blocks_any_end.h"
#include "ingest/json/simd/blocks_sse.h"
#define json_blocks_kernel json_blocks_sse2
#include "ingest/json/simd/blocks_kernel.h"
#define json_pass_kernel json_pass_sse2
#include "ingest/json/simd/pass_kernel.h"
#else
extern int json_blocks_no_sse2;
int json_blocks_no_sse2;
#endif
