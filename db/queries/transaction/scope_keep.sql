-- The change belongs to the transaction now.
RELEASE scope;
