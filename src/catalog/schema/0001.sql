-- somacat catalog, schema version 1.
--
-- Results do not depend on the machine, the clock or the number of threads; what does (runs and
-- timings) is kept in tables of its own, so that two catalogs can be compared. The public face is
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

-- Words that millions of rows share are kept once.
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
    label TEXT NOT NULL UNIQUE                    -- the file as it was named
) STRICT;

-- Where on this machine a source was read: two files of one name are two sources.
CREATE TABLE place (
    source_id INTEGER PRIMARY KEY REFERENCES source (id),
    path      TEXT NOT NULL
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
    figure_id  INTEGER NOT NULL REFERENCES figure (id),
    set_id     INTEGER NOT NULL REFERENCES piece_set (id),
    verdict_id INTEGER NOT NULL REFERENCES verdict (id),
    reason_id  INTEGER REFERENCES reason (id),
    error      TEXT,                              -- what the program says of a failed count
    raw        ANY,
    rotation   ANY,
    "unique"   ANY,
    nodes      INTEGER NOT NULL,
    engine_id  INTEGER REFERENCES engine (id),    -- empty if nothing had to be searched
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_by_verdict ON outcome (verdict_id, reason_id);
CREATE INDEX outcome_by_unique ON outcome ("unique");
CREATE INDEX outcome_by_raw ON outcome (raw);

-- Enumerations: what was asked, how far it is, and what to keep of it.
CREATE TABLE enumeration (
    id       INTEGER PRIMARY KEY,
    label    TEXT NOT NULL,                       -- the question in words, whole
    set_id   INTEGER NOT NULL REFERENCES piece_set (id),
    keep     TEXT NOT NULL CHECK (keep IN ('all', 'solvable', 'totals')),
    limited  INTEGER NOT NULL,                    -- most nodes a figure; 0: no limit
    shard    INTEGER NOT NULL DEFAULT 0,          -- where it goes on
    listed   INTEGER NOT NULL DEFAULT 0,          -- figures of that shard
    complete INTEGER NOT NULL DEFAULT 0,
    UNIQUE (label, set_id, keep, limited)
) STRICT;

-- The figures kept of an enumeration.
CREATE TABLE enumerated (
    enumeration_id INTEGER NOT NULL REFERENCES enumeration (id),
    figure_id      INTEGER NOT NULL REFERENCES figure (id),
    PRIMARY KEY (enumeration_id, figure_id)
) STRICT, WITHOUT ROWID;

-- All figures of an enumeration, kept or not, in numbers. Reason 0 stands for none.
CREATE TABLE enumeration_total (
    enumeration_id INTEGER NOT NULL REFERENCES enumeration (id),
    class_id       INTEGER NOT NULL REFERENCES symmetry_class (id),
    verdict_id     INTEGER NOT NULL REFERENCES verdict (id),
    reason_id      INTEGER NOT NULL,
    figures        INTEGER NOT NULL,
    PRIMARY KEY (enumeration_id, class_id, verdict_id, reason_id)
) STRICT, WITHOUT ROWID;

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

-- What the program itself asks: the view `figures` and the numbers behind its words.
CREATE VIEW figure_rows AS
SELECT
    (SELECT COALESCE(n.label, s.label || ':' || n.line)
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
        (SELECT DISTINCT COALESCE(n.label, s.label || ':' || n.line) AS label
         FROM name n JOIN source s ON s.id = n.source_id
         WHERE n.figure_id = f.id ORDER BY n.source_id, n.ordinal)) AS names,
    p.name AS "set",
    f.box AS box,
    f.parts AS parts,
    c.allen AS allen,
    c.schoenflies AS schoenflies,
    c.rotation_order AS rotation_order,
    trim(c.cyclic_orders) AS cyclic_orders,
    e.name AS engine,
    f.id AS figure_id, f.class_id AS class_id, o.set_id AS set_id,
    o.verdict_id AS verdict_id, o.reason_id AS reason_id
FROM figure f
JOIN symmetry_class c ON c.id = f.class_id
LEFT JOIN outcome o ON o.figure_id = f.id
LEFT JOIN verdict v ON v.id = o.verdict_id
LEFT JOIN reason r ON r.id = o.reason_id
LEFT JOIN engine e ON e.id = o.engine_id
LEFT JOIN piece_set p ON p.id = o.set_id
LEFT JOIN timing t ON t.figure_id = f.id AND t.set_id = o.set_id;

-- One row for each figure and piece set; figures never counted appear once with an empty verdict.
CREATE VIEW figures AS
SELECT name, cells, signature, class, "order", parity, verdict, reason, raw, rotation, "unique",
    nodes, micros, names, "set", box, parts, allen, schoenflies, rotation_order, cyclic_orders,
    engine
FROM figure_rows;

-- The 33 classes with the numbers of figures known and solvable.
CREATE VIEW symmetry_classes AS
SELECT
    c.name AS class, c.schoenflies AS schoenflies, c.allen AS allen, c."order" AS "order",
    c.rotation_order AS rotation_order, trim(c.cyclic_orders) AS cyclic_orders,
    c.conjugates AS conjugates, c.description AS description,
    (SELECT count(*) FROM figure f WHERE f.class_id = c.id) AS figures,
    (SELECT count(*) FROM figure f WHERE f.class_id = c.id AND EXISTS
        (SELECT 1 FROM outcome o JOIN verdict v ON v.id = o.verdict_id
         WHERE o.figure_id = f.id AND v.name IN ('counted', 'solvable'))
    ) AS solvable
FROM symmetry_class c;

-- Enumerations class by class, whatever was kept of them.
CREATE VIEW enumerations AS
SELECT
    e.label AS enumeration, p.name AS "set", e.keep AS keep,
    CASE WHEN e.complete THEN 'yes' ELSE 'no' END AS complete,
    c.name AS class, c."order" AS "order", sum(t.figures) AS figures,
    sum(CASE WHEN r.name = 'parity' THEN t.figures ELSE 0 END) AS parity_blocked,
    sum(CASE WHEN v.name = 'unsolvable' AND r.name <> 'parity' THEN t.figures ELSE 0 END)
        AS unsolvable,
    sum(CASE WHEN v.name IN ('counted', 'solvable') THEN t.figures ELSE 0 END) AS solvable,
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
       v.name AS verdict, k.source AS source
FROM published_count k
JOIN figure f ON f.id = k.figure_id
JOIN piece_set p ON p.id = k.set_id
JOIN outcome o ON o.figure_id = k.figure_id AND o.set_id = k.set_id
JOIN verdict v ON v.id = o.verdict_id
WHERE CASE
    WHEN v.name IN ('counted', 'unsolvable') THEN
        CASE k.kind WHEN 'raw' THEN o.raw WHEN 'rotation' THEN o.rotation ELSE o."unique" END
            IS NOT k.value
    WHEN v.name = 'solvable' THEN k.kind = 'raw' AND o.raw > k.value
    ELSE 0 END;

-- Runs, the newest first, with how far each got.
CREATE VIEW progress AS
SELECT id AS run, command, version, started, ended, status, planned, done
FROM run;
