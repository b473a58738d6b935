-- Where every commit stands.
SELECT id, position, time FROM revision;
