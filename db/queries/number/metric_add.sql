-- Gives a metric key its number, once.
INSERT OR IGNORE INTO metric (key) VALUES (:key);
