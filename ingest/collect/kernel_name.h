/*
 * Names of GPU kernels as tools print them, made short and stable: without
 * return type, parameter list and blanks that differ between tools.
 *
 *   void gemm_tiled<(int)32>(const float *, float *, int)   -> gemm_tiled<32>
 *   void <unnamed>::k(int), void unnamed>::k(int)           -> (anonymous)::k
 *   void (anonymous namespace)::k<float>(float*)            -> (anonymous)::k<float>
 *
 *   std::enable_if<true, void>::type k<2>(int)          -> k<2>
 *
 * Names that no demangler touched ("_Z4gemmPf", "triton_poi_fused_0") stay as they are.
 */
#pragma once

#include "base/base.h"

/* Bytes of a short name; longer ones end in "..." and eight digits that stand for all of it. */
enum { kernel_name_limit = 200 };

/* Never NULL; "?" for an empty name or one that is not clean UTF-8. */
const char *kernel_short_name(struct arena *arena, struct span name);
/* Cuts a name of more than `limit` bytes (at least 16) in that way: long names often differ in
 * their last arguments only. */
void name_shorten(struct strbuf *sb, size_t limit);
