/*
 * What the processor offers beyond the instructions that every one of its kind has, and the system
 * lets programs use: as the dynamic linker has found it. To ask the processor again takes
 * microseconds on a virtual machine, whose host answers.
 */
#pragma once

#include <stdbool.h>

enum processor_feature {
	PROCESSOR_AVX2,  /* and BMI1, BMI2, LZCNT, POPCNT */
	PROCESSOR_AVX512 /* F, BW, VBMI, VBMI2, with GFNI, VPCLMULQDQ and all of AVX2's */
};

/* False for what is of another kind of processor, and where the linker does not tell. */
bool processor_has(enum processor_feature feature);
