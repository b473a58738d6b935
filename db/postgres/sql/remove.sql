-- Removes packs of a project whose runs are in others now. For whoever cares for the store: it takes the right to delete.
DELETE FROM rooflog.pack WHERE place = $1 AND id = ANY ($2);
