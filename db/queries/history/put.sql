-- Sets the runs of a commit that may serve as history. Row 0 is the newest run that the table covers.
INSERT INTO history (revision_id, records, seal) VALUES (:revision, :records, :seal)
ON CONFLICT (revision_id) DO UPDATE SET records = excluded.records, seal = excluded.seal;
