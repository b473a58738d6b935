/*
 * The kernel's inputs, outputs and weights, from the archive of a NEFF. It has a directory per
 * graph, that is per physical core:
 *
 *   sgNN/def.json         "var": name -> {"type", "size" in bytes, "file_name"}
 *                         type is "input", "output", or "file" for a constant that is loaded with
 *                         the program, that is a weight
 *   sgNN/tensor_map.json  name -> {"tf_shape", "tf_file"}: the shapes
 *
 * The physical cores of a logical core share their variables: entries with one name are one tensor.
 */
#pragma once

#include "ingest/reader.h"

struct neff_tensors {
	struct arena *arena;
	struct run_tensor *items; /* with duplicates from several graphs; shape is still NULL */
	const char **files;       /* file name of each item; NULL unknown */
	size_t count, capacity, file_capacity;
	struct neff_shape *shapes;
	size_t shape_count, shape_capacity;
	bool lost; /* the limit was exceeded: the list is incomplete */
};

/* Reads a def.json or tensor_map.json, recognized by its name; ignores all other files. */
int neff_tensors_read(struct neff_tensors *tensors, const char *name, struct span bytes,
		      struct error *err);
/* Moves the tensors and the sums of their sizes to the companion. Nothing is given if no graph was
 * read or the list is incomplete. A sum over a tensor of unknown size is unknown. */
void neff_tensors_give(struct neff_tensors *tensors, struct companion *companion);
