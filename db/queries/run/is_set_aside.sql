-- Whether a run is set aside.
SELECT dirty IS 2 OR dirty IS 6 FROM run WHERE id = :id;
