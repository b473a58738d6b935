/*
 * What the processor offers beyond the instructions that every one of its kind has, and the system
 * lets programs use: as the dynamic linker has found it. To ask the processor again takes tens of
 * microseconds on a virtual machine, whose host answers.
 */
#ifndef BASE_PROCESSOR_H
#define BASE_PROCESSOR_H

#include <stdbool.h>

enum processor_feature {
	PROCESSOR_SSE42,
	PROCESSOR_AVX2,   /* and BMI2 */
	PROCESSOR_AVX512, /* of bytes and words with VBMI2, GFNI, VPCLMULQDQ, and BMI2 */
	PROCESSOR_SHA     /* and SSE4.1 */
};

/* False for what is of another kind of processor. */
bool processor_has(enum processor_feature feature);

#endif
