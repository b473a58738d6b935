-- Whether a run is set aside.
SELECT dirty IS 2 FROM run WHERE id = :id;
