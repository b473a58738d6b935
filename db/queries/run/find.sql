-- Is this run there already?
SELECT id FROM run WHERE hash = :hash;
