/* Processor features as glibc's dynamic linker reports them. */
#include "base/system/cpu.h"

#if defined __x86_64__ && __has_include(<sys/platform/x86.h>) /* of glibc */
#include <sys/platform/x86.h>

bool cpu_has(enum processor_feature feature)
{
	switch (feature) {
	case PROCESSOR_AVX2:
		return CPU_FEATURE_ACTIVE(AVX2) && CPU_FEATURE_ACTIVE(BMI1) &&
		       CPU_FEATURE_ACTIVE(BMI2) && CPU_FEATURE_ACTIVE(LZCNT) &&
		       CPU_FEATURE_ACTIVE(POPCNT);
	case PROCESSOR_AVX512:
		return cpu_has(PROCESSOR_AVX2) && CPU_FEATURE_ACTIVE(AVX512F) &&
		       CPU_FEATURE_ACTIVE(AVX512BW) && CPU_FEATURE_ACTIVE(AVX512_VBMI) &&
		       CPU_FEATURE_ACTIVE(AVX512_VBMI2) && CPU_FEATURE_ACTIVE(GFNI) &&
		       CPU_FEATURE_ACTIVE(VPCLMULQDQ);
	}
	return false;
}
#else
bool cpu_has(enum processor_feature feature)
{
	(void)feature;
	return false;
}
#endif
