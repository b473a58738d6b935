-- The runs of every commit that may serve as history.
SELECT records FROM history WHERE revision_id <> 0;
