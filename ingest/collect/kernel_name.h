/*
 * Short and stable names of GPU kernels: without return type, parameter list, and blanks in which
 * tools differ.
 *
 *   void gemm_tiled<(int)32>(const float *, float *, int)   -> gemm_tiled<32>
 *   void <unnamed>::k(int), void unnamed>::k(int)           -> (anonymous)::k
 *   void (anonymous namespace)::k<float>(float*)            -> (anonymous)::k<float>
 *   std::enable_if<true, void>::type k<2>(int)              -> k<2>
 *
 * Names that were not demangled ("_Z4gemmPf", "triton_poi_fused_0") are unchanged.
 */
#pragma once

#include "base/base.h"

/* Bytes of a short name. A longer name is cut and ends in "..." and eight digits of its hash. */
enum { kernel_name_limit = 200 };

/* Never NULL; "?" for a name that is empty or not valid UTF-8. */
const char *kernel_name_short(struct arena *arena, struct span name);
/* Cuts a name of more than `limit` bytes (at least 16) in that way. The hash is needed because long
 * names often differ in their last arguments only. */
void kernel_name_shorten(struct strbuf *sb, size_t limit);
