-- somacat catalog, schema version 2.
--
-- The verdict `solvable` is called `at-least`. A run that fails says why. An enumeration is known by the
-- question it answers, not by words. A name belongs to an entry of a source, once for figures up to reflection and
-- once for figures up to rotation, and tells how the figure lies there. All views are defined anew.

DROP VIEW progress;
DROP VIEW disagreements;
DROP VIEW newsletter_counts;
DROP VIEW duplicates;
DROP VIEW parity_blocked;
DROP VIEW unsolvable;
DROP VIEW enumerations;
DROP VIEW symmetry_classes;
DROP VIEW figures;
DROP VIEW figure_rows;

UPDATE verdict SET name = 'at-least' WHERE name = 'solvable';

ALTER TABLE run ADD COLUMN error TEXT;            -- why it failed; status: running, finished, stopped, failed

CREATE TABLE new_name (
    source_id     INTEGER NOT NULL REFERENCES source (id),
    ordinal       INTEGER NOT NULL,               -- 0, 1, … within the source
    one_sided     INTEGER NOT NULL,               -- 1: of a figure up to rotation (signature r1-…), 0: s1-…
    figure_id     INTEGER NOT NULL REFERENCES figure (id),
    label         TEXT,                           -- SOMA001
    variant       INTEGER NOT NULL,               -- 1, 2, … for solutions under one header
    line          INTEGER NOT NULL,
    title         TEXT,
    commented_out INTEGER NOT NULL,               -- the file keeps it as a comment
    transform     INTEGER,                        -- T1…T48, from the canonical form to the figure as it lies there
    set_id        INTEGER REFERENCES piece_set (id),
    credit        TEXT,                           -- who made it, as the title says
    packing       TEXT,                           -- the packing shown there: the piece of each cell as it lies, in order
    PRIMARY KEY (source_id, ordinal, one_sided)
) STRICT, WITHOUT ROWID;
INSERT INTO new_name
SELECT n.source_id, n.ordinal, substr(f.signature, 1, 1) = 'r', n.figure_id, n.label, n.variant, n.line, n.title,
       n.commented_out, NULL, NULL, NULL, NULL
FROM name n JOIN figure f ON f.id = n.figure_id;
DROP TABLE name;
ALTER TABLE new_name RENAME TO name;
CREATE INDEX name_by_figure ON name (figure_id);
CREATE INDEX name_by_label ON name (label COLLATE NOCASE);

CREATE TABLE new_enumeration (
    id       INTEGER PRIMARY KEY,
    question TEXT NOT NULL,                       -- normalized, with the version of the algorithm that cuts it
    label    TEXT NOT NULL,                       -- the question in words
    set_id   INTEGER NOT NULL REFERENCES piece_set (id),
    keep     TEXT NOT NULL CHECK (keep IN ('all', 'solvable', 'totals')),
    limited  INTEGER NOT NULL,                    -- most nodes a figure; 0: no limit
    shard    INTEGER NOT NULL DEFAULT 0,          -- where it goes on
    listed   INTEGER NOT NULL DEFAULT 0,          -- figures of that shard
    complete INTEGER NOT NULL DEFAULT 0,
    checksum INTEGER NOT NULL DEFAULT 0,          -- CRC-32 of question, place and totals
    UNIQUE (question, set_id, keep, limited)
) STRICT;
INSERT INTO new_enumeration
SELECT id, label, label, set_id, keep, limited, shard, listed, complete, 0 FROM enumeration;
DROP TABLE enumeration;
ALTER TABLE new_enumeration RENAME TO enumeration;

-- The value comes last: with a column between those of the key, SQLite 3.40 finds faults where there are none.
CREATE TABLE new_published_count (
    figure_id INTEGER NOT NULL REFERENCES figure (id),
    set_id    INTEGER NOT NULL REFERENCES piece_set (id),
    kind      TEXT NOT NULL CHECK (kind IN ('raw', 'rotation', 'unique')),
    source    TEXT NOT NULL,
    value     INTEGER NOT NULL,
    PRIMARY KEY (figure_id, set_id, kind, source)
) STRICT, WITHOUT ROWID;
INSERT INTO new_published_count SELECT figure_id, set_id, kind, source, value FROM published_count;
DROP TABLE published_count;
ALTER TABLE new_published_count RENAME TO published_count;

-- A figure without a name is called by the name of its file, without the folders, and its number there.

-- What the program itself asks: the view `figures` and the numbers behind its words.
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
    p.name AS "set",
    f.box AS box,
    f.parts AS parts,
    c.allen AS allen,
    c.schoenflies AS schoenflies,
    c.rotation_order AS rotation_order,
    trim(c.cyclic_orders) AS cyclic_orders,
    e.name AS engine,
    f.id AS figure_id, f.class_id AS class_id, o.set_id AS set_id,
    o.verdict_id AS verdict_id, o.reason_id AS reason_id, o.engine_id AS engine_id, o.error AS error
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

-- Every name of every figure, with where it comes from and how the figure lies there.
CREATE VIEW names AS
SELECT f.signature AS signature, COALESCE(n.label,
            substr(s.label, length(rtrim(s.label, replace(s.label, '/', ''))) + 1) || ' ' || (n.ordinal + 1)) AS name, n.title AS title,
       n.credit AS credit, s.label AS source, n.line AS line, n.transform AS transform, p.name AS "set"
FROM name n
JOIN figure f ON f.id = n.figure_id
JOIN source s ON s.id = n.source_id
LEFT JOIN piece_set p ON p.id = n.set_id;

-- The 33 classes with the numbers of figures known and solvable.
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

-- Enumerations class by class, whatever was kept of them.
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

-- Figures known under two names or more: pairs (first name, other name). A name is a source with a
-- label; further solutions under one header are no second name.
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
    WHEN v.name = 'at-least' THEN k.kind = 'raw' AND o.raw > k.value
    ELSE 0 END;

-- Runs, the newest first, with how far each got.
CREATE VIEW progress AS
SELECT id AS run, command, version, started, ended, status, planned, done, error
FROM run;
