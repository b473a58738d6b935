-- Waits here for other writers, not in the middle of the transaction.
BEGIN IMMEDIATE;
