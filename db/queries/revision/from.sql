-- The commits at or above a place in the order of first-parent position and time.
SELECT id, oid, tree, patch_id, parent, parents, position, time, subject, seal
FROM revision
WHERE (position, time) >= (:position, :time);
