-- Removes a run: one that is stored again, because it was set aside or another store ingested it earlier, or one that is
-- pruned.
DELETE FROM run WHERE id = :id;
