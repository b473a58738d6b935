-- Whether one of the newest runs with this content has this hash: then the index of hashes, which did not find it, is
-- damaged. Few of them, since thousands of runs may have the same content.
SELECT count(1)
FROM (
	SELECT hash FROM run INDEXED BY run_by_content
	WHERE substr(content, 1, 8) = substr(:content, 1, 8) AND content = :content
	ORDER BY id DESC
	LIMIT 16
)
WHERE hash = :hash;
