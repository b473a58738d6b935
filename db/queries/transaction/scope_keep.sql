-- Makes the change part of the transaction.
RELEASE scope;
