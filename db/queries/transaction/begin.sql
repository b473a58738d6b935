-- One writer at a time: it waits here, and not in the middle.
BEGIN IMMEDIATE;
