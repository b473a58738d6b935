-- The runs of a commit that may serve as history; row 0 is the newest run that was looked at.
INSERT INTO history (revision_id, records) VALUES (:revision, :records)
ON CONFLICT (revision_id) DO UPDATE SET records = excluded.records;
