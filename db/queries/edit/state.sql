-- Where a run belongs, whether it counts, and its name.
SELECT series_id, revision_id, dirty, hash FROM run WHERE id = :id;
