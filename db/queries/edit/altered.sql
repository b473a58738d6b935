-- What a run gets from the edit that is being made.
INSERT INTO temp.altered (id, series_id, dirty) VALUES (:id, :series_id, :dirty);
