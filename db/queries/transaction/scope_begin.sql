-- A change inside the transaction that can be taken back alone.
SAVEPOINT scope;
