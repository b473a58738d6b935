/* Names for the kinds of records. */
#include "model/ntff/records.h"

const char *ntff_dma_class_name(enum ntff_dma_class dma_class)
{
	static const char *const names[] = {"static", "software_dynamic", "hardware_dynamic"};
	return names[dma_class];
}

const char *ntff_traffic_kind_name(enum ntff_traffic traffic)
{
	static const char *const names[NTFF_TRAFFIC_KINDS] = {
		"instruction", "data", "io", "unknown", "software_dynamic", "hardware_dynamic"};
	return names[traffic];
}
