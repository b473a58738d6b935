-- Sets the runs of a commit that may serve as history. Row 0 is the newest run that the table covers.
INSERT INTO history (revision_id, records) VALUES (:revision, :records)
ON CONFLICT (revision_id) DO UPDATE SET records = excluded.records;
