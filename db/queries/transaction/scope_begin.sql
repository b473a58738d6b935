-- Begins a change that can be reverted alone, inside the transaction.
SAVEPOINT scope;
