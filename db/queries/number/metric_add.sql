-- Adds a metric key unless it exists.
INSERT OR IGNORE INTO metric (key) VALUES (:key);
