-- A block with room for so many bytes.
INSERT INTO history (records) VALUES (zeroblob(:bytes));
