/*
 * Optional instructions that both the processor and the operating system support, as the dynamic
 * linker has found them. Executing CPUID again would take microseconds in a virtual machine,
 * because the host has to answer it.
 */
#pragma once

#include "base/base.h"

enum processor_feature {
	PROCESSOR_AVX2,  /* and BMI1, BMI2, LZCNT, POPCNT */
	PROCESSOR_AVX512 /* F, BW, VBMI, VBMI2, with GFNI, VPCLMULQDQ and all of AVX2's */
};

/* False also on other kinds of processors, and where the C library does not report features. */
bool cpu_has(enum processor_feature feature);
