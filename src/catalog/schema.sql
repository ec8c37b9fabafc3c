-- The schema of a somacat catalog.
--
-- Results do not depend on the machine, the clock or the number of threads. Runs, times and paths do: they
-- are in tables of their own, so that two catalogs can be compared. The views are the public interface;
-- docs/catalog.md documents their columns. Only features of SQLite 3.37 are used, so that any stock sqlite3
-- since 2022 can read every view.
--
-- A column `checksum` is the XXH64 of the row's other values (checksum.rs), with the signature of the figure instead
-- of its id. It shows that the row was not edited and still belongs to its figure.

CREATE TABLE symmetry_class (
    id             INTEGER PRIMARY KEY,           -- position among the 33 classes, by group order
    name           TEXT NOT NULL UNIQUE,          -- C2v(face,planar)
    schoenflies    TEXT NOT NULL,                 -- C2v
    allen          TEXT,                          -- Bob Allen's letter, if any
    "order"        INTEGER NOT NULL,              -- number of elements of the group
    rotation_order INTEGER NOT NULL,              -- number of rotations among them
    cyclic_orders  TEXT NOT NULL,                 -- orders of elements: ' 1 2 3 6 '
    conjugates     INTEGER NOT NULL,              -- number of subgroups in the class
    description    TEXT NOT NULL
) STRICT;

-- Words that millions of rows share.
CREATE TABLE verdict (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE reason (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE engine (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE figure (
    id         INTEGER PRIMARY KEY,
    signature  TEXT NOT NULL UNIQUE,
    cells      INTEGER NOT NULL,
    box        TEXT NOT NULL,                     -- extents, ascending: 3x3x4
    class_id   INTEGER NOT NULL REFERENCES symmetry_class (id),
    parity     INTEGER NOT NULL,                  -- |black - white|
    parts      INTEGER NOT NULL
) STRICT;
CREATE INDEX figure_by_class ON figure (class_id);
CREATE INDEX figure_by_cells ON figure (cells);
CREATE INDEX figure_by_box ON figure (box);
CREATE INDEX figure_by_parity ON figure (parity);
CREATE INDEX figure_in_parts ON figure (parts) WHERE parts > 1;

CREATE TABLE source (
    id    INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE                    -- the file as the user named it
) STRICT;

-- Paths of sources on this machine. Two files with one name are two sources.
CREATE TABLE place (
    source_id INTEGER PRIMARY KEY REFERENCES source (id),
    path      TEXT NOT NULL
) STRICT;

-- Sources and questions in the order in which they were requested, with the options of their runs. A source that is read
-- in another way, as with other pieces, is another request. Exactly one of the first two ids is not null.
CREATE TABLE request (
    id             INTEGER PRIMARY KEY,
    source_id      INTEGER,
    enumeration_id INTEGER UNIQUE,
    sha256         TEXT,                          -- of the source's content; null for a stream
    format         TEXT,                          -- of the source, null: detected
    set_id         INTEGER,                       -- of the source, null: the figures decide
    nodes          INTEGER NOT NULL,              -- node limit for each figure, 0: none
    counted        INTEGER NOT NULL,              -- 0: figures were only recognized
    map            INTEGER NOT NULL,              -- 1: structures and proofs that a plan requests
    stand          INTEGER NOT NULL,
    prove          INTEGER NOT NULL,
    changed        INTEGER NOT NULL               -- 1: the source had another content when it was read first
) STRICT;

-- A name belongs to an entry of a source: once for the figure up to reflection, once for the figure up to
-- rotation. It keeps the position of the figure in the source.
CREATE TABLE name (
    source_id     INTEGER NOT NULL REFERENCES source (id),
    ordinal       INTEGER NOT NULL,               -- 0, 1, … within the source
    one_sided     INTEGER NOT NULL,               -- 1: figure up to rotation (signature r1-…), 0: s1-…
    figure_id     INTEGER NOT NULL REFERENCES figure (id),
    label         TEXT,                           -- SOMA001
    variant       INTEGER NOT NULL,               -- 1, 2, … for solutions under one header
    line          INTEGER NOT NULL,
    title         TEXT,
    commented_out INTEGER NOT NULL,               -- 1: a comment in the file
    transform     INTEGER,                        -- T1…T48, from the canonical form to the position in the source
    set_id        INTEGER REFERENCES piece_set (id),
    credit        TEXT,                           -- the maker, from the title
    packing       TEXT,                           -- the source's packing: each cell's piece, in order (VVVDD, D1 D1 D2 D2)
    note          TEXT,                           -- comments that are not the title
    checksum      INTEGER NOT NULL,
    PRIMARY KEY (source_id, ordinal, one_sided)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_by_figure ON name (figure_id);
CREATE INDEX name_by_label ON name (label COLLATE NOCASE);

-- Entries that were refused, or imported with a remark.
CREATE TABLE fault (
    source_id INTEGER NOT NULL REFERENCES source (id),
    ordinal   INTEGER NOT NULL,
    line      INTEGER NOT NULL,
    label     TEXT,
    refused   INTEGER NOT NULL,                   -- 1: refused, 0: imported with a remark
    kind      TEXT NOT NULL,
    message   TEXT NOT NULL,
    checksum  INTEGER NOT NULL,
    PRIMARY KEY (source_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE piece_set (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL,                     -- one line for each piece, as in a set file
    checksum   INTEGER NOT NULL
) STRICT;

-- Counts above 2^63 - 1 are decimal text, hence ANY.
CREATE TABLE outcome (
    figure_id  INTEGER NOT NULL REFERENCES figure (id),
    set_id     INTEGER NOT NULL REFERENCES piece_set (id),
    verdict_id INTEGER NOT NULL REFERENCES verdict (id),
    reason_id  INTEGER REFERENCES reason (id),
    error      TEXT,                              -- the error of a failed count
    raw        ANY,
    rotation   ANY,
    "unique"   ANY,
    nodes      INTEGER NOT NULL,
    engine_id  INTEGER REFERENCES engine (id),    -- null if no search was necessary
    checksum   INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_by_verdict ON outcome (verdict_id, reason_id);
CREATE INDEX outcome_by_unique ON outcome ("unique") WHERE "unique" > 0;
CREATE INDEX outcome_by_raw ON outcome (raw) WHERE raw > 0;

-- Results about a figure's packings, which a plan requests.
CREATE TABLE structure (
    figure_id      INTEGER NOT NULL REFERENCES figure (id),
    set_id         INTEGER NOT NULL REFERENCES piece_set (id),
    map_components INTEGER,                       -- 0: too many packings for a map
    map_solitary   INTEGER,
    solid_stands   INTEGER,                       -- 1: stable as one solid, in the displayed position
    friction       REAL,                          -- friction coefficient of the loose pieces
    set_up         INTEGER,                       -- number of packings analyzed as loose pieces
    stand          INTEGER,                       -- of these, packings that may be stable
    by_hand        INTEGER,                       -- of these, packings that can be built from above
    checksum       INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;

-- Proofs that figures cannot be built, which a plan or `catalog prove` requests. A figure whose reason is a number of
-- cells, its colors or its parts needs none. The body has the lines of a certificate from its reason to its end: the
-- lines before them follow from the signature, whose cells it numbers, and from the set.
CREATE TABLE proof (
    figure_id INTEGER NOT NULL REFERENCES figure (id),
    set_id    INTEGER NOT NULL REFERENCES piece_set (id),
    kind      TEXT,                               -- marks or cases, null: only a search rules it out
    body      TEXT,                               -- null: only a search rules it out
    checksum  INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;

-- Enumerations and censuses: the question, the position, and the figures to keep.
CREATE TABLE enumeration (
    id       INTEGER PRIMARY KEY,
    question TEXT NOT NULL,                       -- the question key, with the version of the sharding algorithm
    label    TEXT NOT NULL,                       -- the question in words
    set_id   INTEGER NOT NULL REFERENCES piece_set (id),
    keep     TEXT NOT NULL CHECK (keep IN ('all', 'solvable', 'totals') OR keep GLOB 'top:[1-9]*'),
    limited  INTEGER NOT NULL,                    -- node limit for each figure, 0: none
    shard    INTEGER NOT NULL DEFAULT 0,          -- the position: a shard
    listed   INTEGER NOT NULL DEFAULT 0,          -- the position: figures of this shard
    complete INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL DEFAULT 0,          -- of question, set, position and totals
    UNIQUE (question, set_id, keep, limited)
) STRICT;

-- The kept figures of an enumeration.
CREATE TABLE enumerated (
    enumeration_id INTEGER NOT NULL REFERENCES enumeration (id),
    figure_id      INTEGER NOT NULL REFERENCES figure (id),
    checksum       INTEGER NOT NULL,
    PRIMARY KEY (enumeration_id, figure_id)
) STRICT, WITHOUT ROWID;

-- Numbers of all figures of an enumeration, kept or not. Reason 0 means none.
CREATE TABLE enumeration_total (
    enumeration_id INTEGER NOT NULL REFERENCES enumeration (id),
    class_id       INTEGER NOT NULL REFERENCES symmetry_class (id),
    verdict_id     INTEGER NOT NULL REFERENCES verdict (id),
    reason_id      INTEGER NOT NULL,
    figures        INTEGER NOT NULL,
    PRIMARY KEY (enumeration_id, class_id, verdict_id, reason_id)
) STRICT, WITHOUT ROWID;

-- The value comes after the key: between columns of the key, it makes SQLite 3.40 report false faults.
CREATE TABLE published_count (
    figure_id INTEGER NOT NULL REFERENCES figure (id),
    set_id    INTEGER NOT NULL REFERENCES piece_set (id),
    kind      TEXT NOT NULL CHECK (kind IN ('raw', 'rotation', 'unique')),
    source    TEXT NOT NULL,
    value     INTEGER NOT NULL,
    checksum  INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id, kind, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id      INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    ended   TEXT,
    status  TEXT NOT NULL,                        -- running, finished, stopped, failed
    planned INTEGER,                              -- expected number of figures, if known: an estimate until the end
    done    INTEGER NOT NULL DEFAULT 0,           -- figures counted in this run
    error   TEXT                                  -- the error of a failed run
) STRICT;

CREATE TABLE timing (
    figure_id INTEGER NOT NULL,
    set_id    INTEGER NOT NULL,
    run_id    INTEGER NOT NULL REFERENCES run (id),
    micros    INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;

-- The view `figures` with the ids of its words. A figure without a name is called by the name of its file,
-- without the folders, and its number there. The alias `w` is one name for each set of a figure that has no
-- outcome; for a figure with one, its CASE is null, so nothing is looked up.
CREATE VIEW figure_rows AS
SELECT
    (SELECT COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1))
     FROM name n JOIN source s ON s.id = n.source_id
     WHERE n.figure_id = f.id ORDER BY n.source_id, n.ordinal LIMIT 1) AS name,
    f.cells AS cells,
    f.signature AS signature,
    c.name AS class,
    c."order" AS "order",
    f.parity AS parity,
    v.name AS verdict,
    COALESCE(r.name, o.error) AS reason,
    o.raw AS raw,
    o.rotation AS rotation,
    o."unique" AS "unique",
    o.nodes AS nodes,
    t.micros AS micros,
    (SELECT group_concat(label, '; ') FROM
        (SELECT DISTINCT COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS label
         FROM name n JOIN source s ON s.id = n.source_id
         WHERE n.figure_id = f.id ORDER BY n.source_id, n.ordinal)) AS names,
    (SELECT json_group_array(label) FROM
        (SELECT DISTINCT COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS label
         FROM name n JOIN source s ON s.id = n.source_id
         WHERE n.figure_id = f.id ORDER BY n.source_id, n.ordinal)) AS name_list,
    (SELECT p.name FROM piece_set p WHERE p.id = COALESCE(o.set_id, w.set_id)) AS "set",
    f.box AS box,
    f.parts AS parts,
    c.allen AS allen,
    c.schoenflies AS schoenflies,
    c.rotation_order AS rotation_order,
    trim(c.cyclic_orders) AS cyclic_orders,
    e.name AS engine,
    f.id AS figure_id, f.class_id AS class_id, COALESCE(o.set_id, w.set_id) AS set_id,
    o.verdict_id AS verdict_id, o.reason_id AS reason_id, o.engine_id AS engine_id, o.error AS error,
    NULLIF(u.map_components, 0) AS map_components, u.map_solitary AS map_solitary,
    u.solid_stands AS solid_stands, u.friction AS friction, u.set_up AS set_up, u.stand AS stand,
    u.by_hand AS by_hand,
    CASE WHEN r.id IS NOT NULL THEN COALESCE(x.kind, r.name) END AS proof, x.body AS proof_body
FROM figure f
JOIN symmetry_class c ON c.id = f.class_id
LEFT JOIN outcome o ON o.figure_id = f.id
LEFT JOIN verdict v ON v.id = o.verdict_id
LEFT JOIN reason r ON r.id = o.reason_id
LEFT JOIN engine e ON e.id = o.engine_id
LEFT JOIN timing t ON t.figure_id = f.id AND t.set_id = o.set_id
LEFT JOIN structure u ON u.figure_id = f.id AND u.set_id = o.set_id
LEFT JOIN proof x ON x.figure_id = f.id AND x.set_id = o.set_id
LEFT JOIN name w ON w.figure_id = CASE WHEN o.figure_id IS NULL THEN f.id END
    AND (w.source_id, w.ordinal) = (SELECT b.source_id, b.ordinal FROM name b
        WHERE b.figure_id = w.figure_id AND b.set_id = w.set_id LIMIT 1);

-- One row for each figure and piece set. A figure without an outcome has a null verdict, and a row for each set that its
-- names remember.
CREATE VIEW figures AS
SELECT name, cells, signature, class, "order", parity, verdict, reason, raw, rotation, "unique",
    nodes, micros, names, "set", box, parts, allen, schoenflies, rotation_order, cyclic_orders,
    engine, map_components, map_solitary,
    CASE solid_stands WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS solid_stands,
    friction, set_up, stand, by_hand, proof
FROM figure_rows;

-- Every name of every figure, with its source and position.
CREATE VIEW names AS
SELECT f.signature AS signature, COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS name, n.title AS title,
       n.credit AS credit, s.label AS source, n.line AS line, n.transform AS transform, p.name AS "set",
       n.note AS note
FROM name n
JOIN figure f ON f.id = n.figure_id
JOIN source s ON s.id = n.source_id
LEFT JOIN piece_set p ON p.id = n.set_id;

-- The 33 classes, with the numbers of known and of solvable figures.
CREATE VIEW symmetry_classes AS
SELECT
    c.name AS class, c.schoenflies AS schoenflies, c.allen AS allen, c."order" AS "order",
    c.rotation_order AS rotation_order, trim(c.cyclic_orders) AS cyclic_orders,
    c.conjugates AS conjugates, c.description AS description,
    (SELECT count(*) FROM figure f WHERE f.class_id = c.id) AS figures,
    (SELECT count(*) FROM figure f WHERE f.class_id = c.id AND EXISTS
        (SELECT 1 FROM outcome o JOIN verdict v ON v.id = o.verdict_id
         WHERE o.figure_id = f.id AND v.name IN ('counted', 'at-least'))
    ) AS solvable
FROM symmetry_class c;

-- Enumerations by class, all figures included.
CREATE VIEW enumerations AS
SELECT
    e.label AS enumeration, p.name AS "set", e.keep AS keep,
    CASE WHEN e.complete THEN 'yes' ELSE 'no' END AS complete,
    c.name AS class, c."order" AS "order", sum(t.figures) AS figures,
    sum(CASE WHEN r.name = 'parity' THEN t.figures ELSE 0 END) AS parity_blocked,
    sum(CASE WHEN v.name = 'unsolvable' AND r.name <> 'parity' THEN t.figures ELSE 0 END)
        AS unsolvable,
    sum(CASE WHEN v.name IN ('counted', 'at-least') THEN t.figures ELSE 0 END) AS solvable,
    sum(CASE WHEN v.name IN ('unknown', 'failed') THEN t.figures ELSE 0 END) AS undecided
FROM enumeration_total t
JOIN enumeration e ON e.id = t.enumeration_id
JOIN piece_set p ON p.id = e.set_id
JOIN symmetry_class c ON c.id = t.class_id
JOIN verdict v ON v.id = t.verdict_id
LEFT JOIN reason r ON r.id = t.reason_id
GROUP BY e.id, c.id;

CREATE VIEW unsolvable AS
SELECT name, cells, signature, class, "order", parity, reason, nodes, "set", names
FROM figures WHERE verdict = 'unsolvable';

CREATE VIEW parity_blocked AS
SELECT name, cells, signature, class, "order", parity, parts, "set", names
FROM figures WHERE verdict = 'unsolvable' AND reason = 'parity';

-- Figures with several names: pairs (first name, other name). A name is a source with a label. Further
-- solutions under one header are the same name.
CREATE VIEW duplicates AS
WITH called AS (
    SELECT n.figure_id, s.id AS source_id, s.label AS source, min(n.ordinal) AS ordinal,
           min(n.line) AS line, COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS name
    FROM name n JOIN source s ON s.id = n.source_id
    GROUP BY n.figure_id, s.id, COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1))
)
SELECT f.signature AS signature, a.name AS name, a.source AS source, a.line AS line,
       b.name AS other_name, b.source AS other_source, b.line AS other_line
FROM called b
JOIN called a ON a.figure_id = b.figure_id
    AND NOT EXISTS (SELECT 1 FROM called e WHERE e.figure_id = a.figure_id
        AND (e.source_id, e.ordinal) < (a.source_id, a.ordinal))
    AND (a.source_id, a.ordinal) < (b.source_id, b.ordinal)
JOIN figure f ON f.id = a.figure_id;

-- Exact counts of solvable figures, for newsletters.
CREATE VIEW newsletter_counts AS
SELECT name, class, "order", "unique" AS unique_solutions,
       rotation AS solutions_up_to_rotation, raw AS raw_solutions, cells, "set", signature
FROM figures WHERE verdict = 'counted';

-- Published counts that ours contradict. A lower bound contradicts smaller published counts: at most as many raw
-- packings as the group has elements are images of one.
CREATE VIEW disagreements AS
SELECT f.signature AS signature,
       (SELECT COALESCE(n.label, '') FROM name n WHERE n.figure_id = f.id
        ORDER BY n.source_id, n.ordinal LIMIT 1) AS name,
       p.name AS "set", k.kind AS kind, k.value AS published,
       CASE
           WHEN k.kind = 'raw' THEN o.raw
           WHEN v.name = 'at-least' THEN (o.raw + c."order" - 1) / c."order"
           WHEN k.kind = 'rotation' THEN o.rotation
           ELSE o."unique"
       END AS ours,
       v.name AS verdict, k.source AS source
FROM published_count k
JOIN figure f ON f.id = k.figure_id
JOIN symmetry_class c ON c.id = f.class_id
JOIN piece_set p ON p.id = k.set_id
JOIN outcome o ON o.figure_id = k.figure_id AND o.set_id = k.set_id
JOIN verdict v ON v.id = o.verdict_id
WHERE CASE v.name
    WHEN 'at-least' THEN ours > k.value
    WHEN 'counted' THEN ours IS NOT k.value
    WHEN 'unsolvable' THEN ours IS NOT k.value
    ELSE 0 END;

-- Runs and their progress.
CREATE VIEW progress AS
SELECT id AS run, command, version, started, ended, status, planned, done, error
FROM run;
