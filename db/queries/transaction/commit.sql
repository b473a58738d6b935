-- Keeps what was written since `begin`.
COMMIT;
