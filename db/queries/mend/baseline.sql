-- Puts back a named commit that was changed.
UPDATE baseline SET name = :name, oid = :oid, set_at = :set_at, pinned = :pinned, seal = :seal
WHERE name = :changed AND oid = :second;
