-- somacat catalog, schema version 3.
--
-- What is found out about a figure's packings when a plan asks for it: how they hang together, and what stands.

DROP VIEW figures;
DROP VIEW figure_rows;

CREATE TABLE structure (
    figure_id      INTEGER NOT NULL REFERENCES figure (id),
    set_id         INTEGER NOT NULL REFERENCES piece_set (id),
    map_components INTEGER,                       -- 0: too many packings for a map
    map_solitary   INTEGER,
    solid_stands   INTEGER,                       -- 1: as one solid, as it is shown
    friction       REAL,                          -- of the loose pieces
    set_up         INTEGER,                       -- packings that were set up as loose pieces
    stand          INTEGER,                       -- of these, those that may stand
    by_hand        INTEGER,                       -- of these, those that can be built from above
    PRIMARY KEY (figure_id, set_id)
) STRICT, WITHOUT ROWID;

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
    o.verdict_id AS verdict_id, o.reason_id AS reason_id, o.engine_id AS engine_id, o.error AS error,
    NULLIF(u.map_components, 0) AS map_components, u.map_solitary AS map_solitary,
    u.solid_stands AS solid_stands, u.friction AS friction, u.set_up AS set_up, u.stand AS stand,
    u.by_hand AS by_hand
FROM figure f
JOIN symmetry_class c ON c.id = f.class_id
LEFT JOIN outcome o ON o.figure_id = f.id
LEFT JOIN verdict v ON v.id = o.verdict_id
LEFT JOIN reason r ON r.id = o.reason_id
LEFT JOIN engine e ON e.id = o.engine_id
LEFT JOIN piece_set p ON p.id = o.set_id
LEFT JOIN timing t ON t.figure_id = f.id AND t.set_id = o.set_id
LEFT JOIN structure u ON u.figure_id = f.id AND u.set_id = o.set_id;

-- One row for each figure and piece set; figures never counted appear once with an empty verdict.
CREATE VIEW figures AS
SELECT name, cells, signature, class, "order", parity, verdict, reason, raw, rotation, "unique",
    nodes, micros, names, "set", box, parts, allen, schoenflies, rotation_order, cyclic_orders,
    engine, map_components, map_solitary,
    CASE solid_stands WHEN 1 THEN 'yes' WHEN 0 THEN 'no' END AS solid_stands,
    friction, set_up, stand, by_hand
FROM figure_rows;
