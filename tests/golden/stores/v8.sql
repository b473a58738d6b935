-- A store of schema version 8, as sqlite3's .dump writes it, with its marks.
PRAGMA application_id = 1919905638;
PRAGMA user_version = 8;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE revision (
	id INTEGER PRIMARY KEY,
	oid TEXT NOT NULL UNIQUE,
	tree TEXT,
	patch_id TEXT,
	parent TEXT,            -- first parent's oid, '' for a root; may be a commit not stored here
	parents TEXT,           -- all parents, space separated
	position INTEGER NOT NULL,
	time INTEGER NOT NULL,  -- committer time, Unix seconds
	subject TEXT
, seal INTEGER NOT NULL DEFAULT 0);
INSERT INTO revision VALUES(1,'0000000000000000000000000000000000000001','t','p','0000000000000000000000000000000000000000','0000000000000000000000000000000000000000',1,1700000001,'s',4971921218338924854);
INSERT INTO revision VALUES(2,'0000000000000000000000000000000000000002','t','p','0000000000000000000000000000000000000001','0000000000000000000000000000000000000001',2,1700000002,'s',7392261480940993811);
CREATE TABLE series (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL,
	kernel TEXT,
	variant TEXT,
	dtype TEXT,
	params TEXT NOT NULL,   -- JSON object of texts, sorted by name
	device TEXT,
	instance_type TEXT,
	cores INTEGER NOT NULL, -- 0: unknown
	tool TEXT
, seal INTEGER NOT NULL DEFAULT 0);
INSERT INTO series VALUES(1,'mlp [fused]%2Fa/v''3"/b=1,note=a%2Cb%3D"µ",s=512/bf16/trn2/trn2.3xlarge/neuron-profile/2','mlp [fused]/a','v''3"','bf16','{"b":"1","note":"a,b=\"µ\"","s":"512"}','trn2','trn2.3xlarge',2,'neuron-profile',3189007587433596491);
INSERT INTO series VALUES(2,'other/v''3"/b=1,note=a%2Cb%3D"µ",s=512/bf16/trn2/trn2.3xlarge/neuron-profile/2','other','v''3"','bf16','{"b":"1","note":"a,b=\"µ\"","s":"512"}','trn2','trn2.3xlarge',2,'neuron-profile',-2957773951664678794);
CREATE TABLE run (
	id INTEGER PRIMARY KEY, -- grows with ingest order
	hash BLOB NOT NULL UNIQUE, -- SHA-256 of content and identity: the run's name
	content BLOB NOT NULL,     -- SHA-256 of the content alone
	series_id INTEGER NOT NULL REFERENCES series (id),
	revision_id INTEGER NOT NULL REFERENCES revision (id),
	dirty INTEGER NOT NULL,    -- 1: the work tree had uncommitted changes
	node TEXT,
	ingested_at INTEGER NOT NULL, -- Unix seconds
	source TEXT,
	kernel_hash TEXT
, ingest INTEGER NOT NULL DEFAULT 0, seals BLOB NOT NULL DEFAULT x'');
INSERT INTO run VALUES(1,X'a01bc3079fa9a24b2b553d1b6d312781e48e7733f58f57f0888a0273e6a301cf',X'1d93c6c9362a8bd1cbc66616a50f1cc92c38d15717ee6288d30c14ba4ec88359',1,2,0,'n_0123',1760000000,'out/profiles/mlp.json','f00d',0,X'34ca7820f60243f3f5aaa27d117a2827f821f1b99ccf43f5');
CREATE TABLE metric (
	id INTEGER PRIMARY KEY,
	key TEXT NOT NULL UNIQUE
, seal INTEGER NOT NULL DEFAULT 0);
INSERT INTO metric VALUES(1,'total_time',-6837593472286565658);
INSERT INTO metric VALUES(2,'hardware_flops',-7095923518164240135);
INSERT INTO metric VALUES(3,'transpose_flops',1508518696758451885);
INSERT INTO metric VALUES(4,'hbm_read_bytes',3810560679295031244);
INSERT INTO metric VALUES(5,'hbm_write_bytes',1284877481607615336);
INSERT INTO metric VALUES(6,'mfu',3595950015420020673);
INSERT INTO metric VALUES(7,'hfu',-2255547939424722239);
CREATE TABLE value (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	metric_id INTEGER NOT NULL, -- metric (id)
	value REAL NOT NULL,
	provenance INTEGER NOT NULL, -- 1 measured, 2 reported, 3 derived, 4 estimated
	PRIMARY KEY (run_id, metric_id)
) WITHOUT ROWID;
CREATE TABLE engine (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	name TEXT,
	active_time REAL,
	timeline BLOB,          -- 256 float32, little-endian: busy fraction; NULL: no intervals
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO engine VALUES(1,0,'tensor',4.57763671875e-05,NULL);
INSERT INTO engine VALUES(1,1,'dma',NULL,NULL);
CREATE TABLE tally (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	kind TEXT NOT NULL,     -- 'opcode', 'source', 'dma_queue', 'memory'
	name TEXT,
	count REAL,
	seconds REAL,
	bytes REAL,
	flops REAL,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO tally VALUES(1,0,'source','mlp.py:7',3.0,9.5367431640625e-07,NULL,NULL);
INSERT INTO tally VALUES(1,1,'opcode','MATMUL',9.0,1.9073486328125e-06,NULL,400000000.0);
INSERT INTO tally VALUES(1,2,'memory','tensors',NULL,NULL,5000000.0,NULL);
INSERT INTO tally VALUES(1,3,'dma_queue','',1.0,0.125,2.0,NULL);
CREATE TABLE throttle (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	core INTEGER NOT NULL,
	type TEXT,
	start REAL,
	duration REAL,
	allowed REAL,           -- k / n of the full rate, 0 to 1
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO throttle VALUES(1,0,1,'activity_0',0.0,1.9073486328125e-05,0.5);
INSERT INTO throttle VALUES(1,1,-1,NULL,1.9073486328125e-05,NULL,1.0);
CREATE TABLE core (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	name TEXT,
	cycles REAL,
	instructions REAL,
	flops REAL,
	tensor_active_time REAL,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO core VALUES(1,0,'sg00',63359.0,1024.0,NULL,3.0517578125e-05);
INSERT INTO core VALUES(1,1,'sg01',NULL,1025.0,1000000000.0,NULL);
CREATE TABLE tensor (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	name TEXT,
	role TEXT,
	shape TEXT,
	bytes REAL,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO tensor VALUES(1,0,'x','IN','[128 512]',131072.0);
INSERT INTO tensor VALUES(1,1,'w',NULL,NULL,NULL);
CREATE TABLE attribute (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	key TEXT,
	text TEXT,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO attribute VALUES(1,0,'compiler_version','2.21.18209.0');
INSERT INTO attribute VALUES(1,1,'host',NULL);
CREATE TABLE note (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	category TEXT,
	message TEXT,
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO note VALUES(1,0,'Missing Data',replace('no "DMA" trace; it''s µ-small\nand long','\n',char(10)));
INSERT INTO note VALUES(1,1,'rooflog','');
CREATE TABLE baseline (
	name TEXT PRIMARY KEY,
	oid TEXT NOT NULL,
	set_at INTEGER NOT NULL -- Unix seconds
, pinned INTEGER NOT NULL DEFAULT 0, seal INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
INSERT INTO baseline VALUES('release','0000000000000000000000000000000000000002',1760000000,1,-7786540092379827040);
CREATE TABLE spread (
	run_id INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
	ordinal INTEGER NOT NULL,
	metric TEXT NOT NULL,   -- its key
	count REAL,
	minimum REAL,
	median REAL,
	mean REAL,
	maximum REAL,
	deviation REAL,         -- standard deviation of the sample
	numbers BLOB,           -- float64, little-endian: the repeats in their order
	PRIMARY KEY (run_id, ordinal)
) WITHOUT ROWID;
INSERT INTO spread VALUES(1,0,'total_time',3.0,6.103515625e-05,9.1552734375e-05,NULL,0.0001220703125,1.52587890625e-05,X'000000000000103f000000000000183f000000000000203f');
INSERT INTO spread VALUES(1,1,'host_time',20.0,NULL,NULL,0.5,NULL,NULL,NULL);
CREATE TABLE numbers (
	run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
	packed BLOB NOT NULL
, seal INTEGER NOT NULL DEFAULT 0);
INSERT INTO numbers VALUES(1,X'010001000000000000103f020001000000000000d83f030002000000000000008004000301000000000030430500040000000000000000060001000000000000b03e07000200000000000030c1',-5837386352542550239);
CREATE TABLE timelines (
	run_id INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
	packed BLOB NOT NULL
);
INSERT INTO timelines VALUES(1,X'0000000000008180803b8180003cc1c0403c8180803ca1a0a03cc1c0c03ce1e0e03c8180003d9190103da1a0203db1b0303dc1c0403dd1d0503de1e0603df1f0703d8180803d8988883d9190903d9998983da1a0a03da9a8a83db1b0b03db9b8b83dc1c0c03dc9c8c83dd1d0d03dd9d8d83de1e0e03de9e8e83df1f0f03df9f8f83d8180003e8584043e8988083e8d8c0c3e9190103e9594143e9998183e9d9c1c3ea1a0203ea5a4243ea9a8283eadac2c3eb1b0303eb5b4343eb9b8383ebdbc3c3ec1c0403ec5c4443ec9c8483ecdcc4c3ed1d0503ed5d4543ed9d8583edddc5c3ee1e0603ee5e4643ee9e8683eedec6c3ef1f0703ef5f4743ef9f8783efdfc7c3e8180803e8382823e8584843e8786863e8988883e8b8a8a3e8d8c8c3e8f8e8e3e9190903e9392923e9594943e9796963e9998983e9b9a9a3e9d9c9c3e9f9e9e3ea1a0a03ea3a2a23ea5a4a43ea7a6a63ea9a8a83eabaaaa3eadacac3eafaeae3eb1b0b03eb3b2b23eb5b4b43eb7b6b63eb9b8b83ebbbaba3ebdbcbc3ebfbebe3ec1c0c03ec3c2c23ec5c4c43ec7c6c63ec9c8c83ecbcaca3ecdcccc3ecfcece3ed1d0d03ed3d2d23ed5d4d43ed7d6d63ed9d8d83edbdada3edddcdc3edfdede3ee1e0e03ee3e2e23ee5e4e43ee7e6e63ee9e8e83eebeaea3eedecec3eefeeee3ef1f0f03ef3f2f23ef5f4f43ef7f6f63ef9f8f83efbfafa3efdfcfc3efffefe3e8180003f8281013f8382023f8483033f8584043f8685053f8786063f8887073f8988083f8a89093f8b8a0a3f8c8b0b3f8d8c0c3f8e8d0d3f8f8e0e3f908f0f3f9190103f9291113f9392123f9493133f9594143f9695153f9796163f9897173f9998183f9a99193f9b9a1a3f9c9b1b3f9d9c1c3f9e9d1d3f9f9e1e3fa09f1f3fa1a0203fa2a1213fa3a2223fa4a3233fa5a4243fa6a5253fa7a6263fa8a7273fa9a8283faaa9293fabaa2a3facab2b3fadac2c3faead2d3fafae2e3fb0af2f3fb1b0303fb2b1313fb3b2323fb4b3333fb5b4343fb6b5353fb7b6363fb8b7373fb9b8383fbab9393fbbba3a3fbcbb3b3fbdbc3c3fbebd3d3fbfbe3e3fc0bf3f3fc1c0403fc2c1413fc3c2423fc4c3433fc5c4443fc6c5453fc7c6463fc8c7473fc9c8483fcac9493fcbca4a3fcccb4b3fcdcc4c3fcecd4d3fcfce4e3fd0cf4f3fd1d0503fd2d1513fd3d2523fd4d3533fd5d4543fd6d5553fd7d6563fd8d7573fd9d8583fdad9593fdbda5a3fdcdb5b3fdddc5c3fdedd5d3fdfde5e3fe0df5f3fe1e0603fe2e1613fe3e2623fe4e3633fe5e4643fe6e5653fe7e6663fe8e7673fe9e8683feae9693febea6a3feceb6b3fedec6c3feeed6d3fefee6e3ff0ef6f3ff1f0703ff2f1713ff3f2723ff4f3733ff5f4743ff6f5753ff7f6763ff8f7773ff9f8783ffaf9793ffbfa7a3ffcfb7b3ffdfc7c3ffefd7d3ffffe7e3f0000803f');
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 VALUES('attribute','attribute','2 2 1');
INSERT INTO sqlite_stat1 VALUES('series','series_by_key','1 1');
INSERT INTO sqlite_stat1 VALUES('tree_file','tree_file','2 1 1');
INSERT INTO sqlite_stat1 VALUES('note','note','2 2 1');
INSERT INTO sqlite_stat1 VALUES('core','core','2 2 1');
INSERT INTO sqlite_stat1 VALUES('spread','spread','2 2 1');
INSERT INTO sqlite_stat1 VALUES('tensor','tensor','2 2 1');
INSERT INTO sqlite_stat1 VALUES('run','run_by_content','1 1');
INSERT INTO sqlite_stat1 VALUES('run','run_by_revision','1 1 1 1');
INSERT INTO sqlite_stat1 VALUES('run','run_by_series','1 1 1 1');
INSERT INTO sqlite_stat1 VALUES('run','sqlite_autoindex_run_1','1 1');
INSERT INTO sqlite_stat1 VALUES('engine','engine','2 2 1');
INSERT INTO sqlite_stat1 VALUES('tally','tally','4 4 1');
INSERT INTO sqlite_stat1 VALUES('throttle','throttle','2 2 1');
INSERT INTO sqlite_stat1 VALUES('edited_run','edited_run_by_run','1 1');
INSERT INTO sqlite_stat1 VALUES('edited_run','edited_run','1 1 1');
CREATE TABLE history (
	revision_id INTEGER PRIMARY KEY,
	records BLOB NOT NULL,
	seal INTEGER NOT NULL
);
INSERT INTO history VALUES(0,X'0100000000000000',3994490588603078876);
INSERT INTO history VALUES(2,X'01000000b2380a13c3a41cc7010000000100010000000000000000000000103f',7018412684719280577);
CREATE TABLE series_metrics (
	series_id INTEGER PRIMARY KEY,
	packed BLOB NOT NULL,
	seal INTEGER NOT NULL
);
INSERT INTO series_metrics VALUES(1,X'0100020003000400050006000700',8645633654749679485);
INSERT INTO series_metrics VALUES(2,X'0100020003000400050006000700',6618155213736048614);
CREATE TABLE committed_file (
	id INTEGER PRIMARY KEY,
	hash BLOB NOT NULL UNIQUE, -- SHA-256 of the bytes
	bytes BLOB NOT NULL        -- as committed
);
INSERT INTO committed_file VALUES(1,X'5e49ea838dc30f3eeacf6ca7815f6e3adcf77f467a970d978676790fd90377e1',X'23206e6f7468696e670a');
CREATE TABLE tree_file (
	oid TEXT NOT NULL,      -- of the commit
	path TEXT NOT NULL,
	file_id INTEGER REFERENCES committed_file (id), -- NULL: its tree has no such file
	seal INTEGER NOT NULL,  -- over oid, path and the file's hash
	PRIMARY KEY (oid, path)
) WITHOUT ROWID;
INSERT INTO tree_file VALUES('0000000000000000000000000000000000000001','.rooflog/accept',NULL,4280813543308944232);
INSERT INTO tree_file VALUES('0000000000000000000000000000000000000002','.rooflog/accept',1,-2623788877446000165);
CREATE TABLE edit (
	id INTEGER PRIMARY KEY,     -- grows with time
	kind TEXT NOT NULL,         -- 'rm', 'mv', 'replace', 'again'
	time INTEGER NOT NULL,      -- Unix seconds
	undone_at INTEGER NOT NULL, -- Unix seconds; 0: in force
	reason TEXT,                -- why, as given
	seal INTEGER NOT NULL
);
INSERT INTO edit VALUES(1,'mv',1760000000,1760000000,NULL,1759702264097427541);
CREATE TABLE edited_run (
	edit_id INTEGER NOT NULL REFERENCES edit (id),
	run TEXT NOT NULL,          -- run.hash in hexadecimal
	effect INTEGER NOT NULL,    -- 1 removed, 2 added, 3 renamed
	series_id INTEGER NOT NULL REFERENCES series (id), -- before the edit
	new_series_id INTEGER NOT NULL REFERENCES series (id),
	seal INTEGER NOT NULL,
	PRIMARY KEY (edit_id, run)
) WITHOUT ROWID;
INSERT INTO edited_run VALUES(1,'a01bc3079fa9a24b2b553d1b6d312781e48e7733f58f57f0888a0273e6a301cf',3,1,2,9211047518328852099);
CREATE INDEX series_by_key ON series (key);
CREATE INDEX run_by_series ON run (series_id, revision_id, dirty);
CREATE INDEX revision_by_position ON revision (position, time);
CREATE INDEX run_by_revision ON run (revision_id, series_id, dirty);
CREATE INDEX run_by_content ON run (substr(content, 1, 8));
CREATE INDEX edited_run_by_run ON edited_run (run);
COMMIT;
