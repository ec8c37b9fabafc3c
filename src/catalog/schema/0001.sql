-- somacat catalog, schema version 1.
--
-- Results do not depend on the machine, the clock or the number of threads; what does (runs and
-- timings) is kept in tables of its own, so that two catalogs can be compared. The public face are
-- the views; their columns are documented in docs/catalog.md and stay. Only features of SQLite 3.37
-- are used, so that any stock sqlite3 from 2022 on can read every view.

PRAGMA application_id = 0x534F4D41;               -- "SOMA"

CREATE TABLE symmetry_class (
    id             INTEGER PRIMARY KEY,           -- position among the 33, by group order
    name           TEXT NOT NULL UNIQUE,          -- C2v(face,planar)
    schoenflies    TEXT NOT NULL,                 -- C2v
    allen          TEXT,                          -- Bob Allen's letter, where one exists
    "order"        INTEGER NOT NULL,              -- elements of the group
    rotation_order INTEGER NOT NULL,              -- rotations among them
    cyclic_orders  TEXT NOT NULL,                 -- orders of elements: ' 1 2 3 6 '
    conjugates     INTEGER NOT NULL,              -- subgroups in the class
    description    TEXT NOT NULL
) STRICT;

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

CREATE TABLE source (
    id    INTEGER PRIMARY KEY,
    label TEXT NOT NULL UNIQUE                    -- the file as it was named
) STRICT;

-- Every entry of every source, in the order of the file.
CREATE TABLE name (
    source_id     INTEGER NOT NULL REFERENCES source (id),
    ordinal       INTEGER NOT NULL,               -- 0, 1, … within the source
    figure_id     INTEGER NOT NULL REFERENCES figure (id),
    label         TEXT,                           -- SOMA001
    variant       INTEGER NOT NULL,               -- 1, 2, … for solutions under one header
    line          INTEGER NOT NULL,
    title         TEXT,
    commented_out INTEGER NOT NULL,               -- the file keeps it as a comment
    PRIMARY KEY (source_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX name_by_figure ON name (figure_id);
CREATE INDEX name_by_label ON name (label COLLATE NOCASE);

-- What a source holds that could not be taken in, or was taken in with a remark.
CREATE TABLE fault (
    source_id INTEGER NOT NULL REFERENCES source (id),
    ordinal   INTEGER NOT NULL,
    line      INTEGER NOT NULL,
    label     TEXT,
    refused   INTEGER NOT NULL,                   -- 1: not imported, 0: imported all the same
    kind      TEXT NOT NULL,
    message   TEXT NOT NULL,
    PRIMARY KEY (source_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE piece_set (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL                      -- one line a piece, as in a set file
) STRICT;

-- Counts above 2^63 - 1 are kept as decimal text, hence ANY.
CREATE TABLE outcome (
    figure_id INTEGER NOT NULL REFERENCES figure (id),
    set_id    INTEGER NOT NULL REFERENCES piece_set (id),
    verdict   TEXT NOT NULL CHECK (verdict IN ('counted', 'unsolvable', 'solvable', 'unknown', 'failed')),
    reason    TEXT,
    raw       ANY,
    rotation  ANY,
    "unique"  ANY,
    nodes     INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_by_verdict ON outcome (verdict, reason);
CREATE INDEX outcome_by_unique ON outcome ("unique");

CREATE TABLE published_count (
    figure_id INTEGER NOT NULL REFERENCES figure (id),
    set_id    INTEGER NOT NULL REFERENCES piece_set (id),
    kind      TEXT NOT NULL CHECK (kind IN ('raw', 'rotation', 'unique')),
    value     INTEGER NOT NULL,
    source    TEXT NOT NULL,
    PRIMARY KEY (figure_id, set_id, kind, source)
) STRICT, WITHOUT ROWID;

CREATE TABLE run (
    id      INTEGER PRIMARY KEY,
    command TEXT NOT NULL,
    version TEXT NOT NULL,
    started TEXT NOT NULL,
    ended   TEXT,
    status  TEXT NOT NULL,                        -- running, finished, stopped
    planned INTEGER,                              -- figures to count, once known
    done    INTEGER NOT NULL DEFAULT 0            -- of them counted in this run
) STRICT;

CREATE TABLE timing (
    figure_id INTEGER NOT NULL,
    set_id    INTEGER NOT NULL,
    run_id    INTEGER NOT NULL REFERENCES run (id),
    micros    INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;

-- One row for each figure and piece set; figures never counted appear once with an empty verdict.
CREATE VIEW figures AS
SELECT
    (SELECT COALESCE(n.label, s.label || ':' || n.line)
     FROM name n JOIN source s ON s.id = n.source_id
     WHERE n.figure_id = f.id ORDER BY n.source_id, n.ordinal LIMIT 1) AS name,
    f.cells AS cells,
    f.signature AS signature,
    c.name AS class,
    c."order" AS "order",
    f.parity AS parity,
    o.verdict AS verdict,
    o.reason AS reason,
    o.raw AS raw,
    o.rotation AS rotation,
    o."unique" AS "unique",
    o.nodes AS nodes,
    t.micros AS micros,
    (SELECT group_concat(label, '; ') FROM
        (SELECT DISTINCT COALESCE(n.label, s.label || ':' || n.line) AS label
         FROM name n JOIN source s ON s.id = n.source_id
         WHERE n.figure_id = f.id ORDER BY n.source_id, n.ordinal)) AS names,
    p.name AS "set",
    f.box AS box,
    f.parts AS parts,
    c.allen AS allen,
    c.schoenflies AS schoenflies,
    c.rotation_order AS rotation_order,
    trim(c.cyclic_orders) AS cyclic_orders
FROM figure f
JOIN symmetry_class c ON c.id = f.class_id
LEFT JOIN outcome o ON o.figure_id = f.id
LEFT JOIN piece_set p ON p.id = o.set_id
LEFT JOIN timing t ON t.figure_id = f.id AND t.set_id = o.set_id;

-- The 33 classes with the numbers of figures known and solvable.
CREATE VIEW symmetry_classes AS
SELECT
    c.name AS class, c.schoenflies AS schoenflies, c.allen AS allen, c."order" AS "order",
    c.rotation_order AS rotation_order, trim(c.cyclic_orders) AS cyclic_orders,
    c.conjugates AS conjugates, c.description AS description,
    (SELECT count(*) FROM figure f WHERE f.class_id = c.id) AS figures,
    (SELECT count(*) FROM figure f WHERE f.class_id = c.id AND EXISTS
        (SELECT 1 FROM outcome o WHERE o.figure_id = f.id AND o.verdict IN ('counted', 'solvable'))
    ) AS solvable
FROM symmetry_class c;

CREATE VIEW unsolvable AS
SELECT name, cells, signature, class, "order", parity, reason, nodes, "set", names
FROM figures WHERE verdict = 'unsolvable';

CREATE VIEW parity_blocked AS
SELECT name, cells, signature, class, "order", parity, parts, "set", names
FROM figures WHERE verdict = 'unsolvable' AND reason = 'parity';

-- Figures known under two names or more: pairs (first name, other name). A name is a source with a
-- label; further solutions under one header are no second name.
CREATE VIEW duplicates AS
WITH called AS (
    SELECT n.figure_id, s.id AS source_id, s.label AS source, min(n.ordinal) AS ordinal,
           min(n.line) AS line, COALESCE(n.label, s.label || ':' || n.line) AS name
    FROM name n JOIN source s ON s.id = n.source_id
    GROUP BY n.figure_id, s.id, COALESCE(n.label, s.label || ':' || n.line)
)
SELECT f.signature AS signature, a.name AS name, a.source AS source, a.line AS line,
       b.name AS other_name, b.source AS other_source, b.line AS other_line
FROM called b
JOIN called a ON a.figure_id = b.figure_id
    AND NOT EXISTS (SELECT 1 FROM called e WHERE e.figure_id = a.figure_id
        AND (e.source_id, e.ordinal) < (a.source_id, a.ordinal))
    AND (a.source_id, a.ordinal) < (b.source_id, b.ordinal)
JOIN figure f ON f.id = a.figure_id;

-- What a newsletter prints: exact counts of solvable figures, the unique ones first.
CREATE VIEW newsletter_counts AS
SELECT name, class, "order", "unique" AS unique_solutions,
       rotation AS solutions_up_to_rotation, raw AS raw_solutions, cells, "set", signature
FROM figures WHERE verdict = 'counted';

-- Published counts that ours contradict. Bounds ("at least") contradict smaller published counts.
CREATE VIEW disagreements AS
SELECT f.signature AS signature,
       (SELECT COALESCE(n.label, '') FROM name n WHERE n.figure_id = f.id
        ORDER BY n.source_id, n.ordinal LIMIT 1) AS name,
       p.name AS "set", k.kind AS kind, k.value AS published,
       CASE k.kind WHEN 'raw' THEN o.raw WHEN 'rotation' THEN o.rotation ELSE o."unique" END AS ours,
       o.verdict AS verdict, k.source AS source
FROM published_count k
JOIN figure f ON f.id = k.figure_id
JOIN piece_set p ON p.id = k.set_id
JOIN outcome o ON o.figure_id = k.figure_id AND o.set_id = k.set_id
WHERE CASE
    WHEN o.verdict IN ('counted', 'unsolvable') THEN
        CASE k.kind WHEN 'raw' THEN o.raw WHEN 'rotation' THEN o.rotation ELSE o."unique" END
            IS NOT k.value
    WHEN o.verdict = 'solvable' THEN k.kind = 'raw' AND o.raw > k.value
    ELSE 0 END;

-- Runs, the newest first, with how far each got.
CREATE VIEW progress AS
SELECT id AS run, command, version, started, ended, status, planned, done
FROM run;
