-- Gives a run the state that its seal fits.
UPDATE run SET dirty = :state WHERE id = :id;
