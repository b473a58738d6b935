/*
 * What the archive of a NEFF says of the kernel's inputs, outputs and weights:
 *
 *   sgNN/def.json         "var": name -> {"type", "size" in bytes, "file_name"};
 *                         type "input", "output", or "file" for a constant that
 *                         is loaded with the program, a weight; of one graph,
 *                         that of a physical core
 *   sgNN/tensor_map.json  name -> {"tf_shape", "tf_file"}: the shapes
 *
 * The cores of a logical core share their variables: one name is one tensor.
 */
#ifndef INGEST_NEURON_NEFF_TENSORS_H
#define INGEST_NEURON_NEFF_TENSORS_H

#include "ingest/reader.h"

struct neff_tensors {
	struct arena *arena;
	struct run_tensor *items; /* with repeats; a NULL shape is unknown */
	const char **files;       /* of each, NULL */
	size_t count, capacity, file_capacity;
	struct neff_shape *shapes;
	size_t shape_count, shape_capacity;
	bool lost; /* there are more than are kept */
};

/* Takes a def.json or tensor_map.json, told apart by its name; others are left alone. */
int neff_tensors_read(struct neff_tensors *tensors, const char *name, struct span bytes,
		      struct error *err);
/* Gives the companion the tensors and the sums of their sizes; nothing when no graph was read. A
 * sum that a tensor without a size is part of is unknown. */
void neff_tensors_give(struct neff_tensors *tensors, struct companion *companion);

#endif
