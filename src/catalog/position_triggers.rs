//! Triggers for the displayed position of a figure, on which its stability depends.

use super::checksum::STRUCTURES;
use rusqlite::Connection;

/// Creates triggers that clear stability results when the displayed position changes. They belong to this connection.
/// The first named entry with a position determines the displayed position. A run that needs the results computes them
/// again.
pub(super) fn watch_positions(connection: &Connection) -> rusqlite::Result<()> {
    let columns = ["solid_stands", "friction", "set_up", "stand", "by_hand"];
    let checksum = STRUCTURES.of_columns_without(&columns);
    let cleared = format!("{} = NULL, checksum = {checksum}", columns.join(" = NULL, "));
    let clear = |figure: &str, unless: &str| {
        format!(
            "UPDATE structure SET {cleared}
             WHERE figure_id = {figure} AND friction IS NOT NULL {unless};"
        )
    };
    let unless_another_leads = |name: &str| {
        let earlier = format!("(n.source_id, n.ordinal) < ({name}.source_id, {name}.ordinal)");
        let another = format!(
            "AND NOT EXISTS (SELECT 1 FROM name n WHERE n.figure_id = {name}.figure_id
                 AND n.transform IS NOT NULL AND {earlier})"
        );
        clear(&format!("{name}.figure_id"), &another)
    };
    connection.execute_batch(&format!(
        "CREATE TEMP TRIGGER IF NOT EXISTS name_added AFTER INSERT ON main.name WHEN NEW.transform IS NOT NULL
         BEGIN {} END;
         CREATE TEMP TRIGGER IF NOT EXISTS name_changed AFTER UPDATE OF figure_id, transform ON main.name
         WHEN OLD.figure_id <> NEW.figure_id OR OLD.transform IS NOT NEW.transform
         BEGIN {} {} END;
         CREATE TEMP TRIGGER IF NOT EXISTS name_removed AFTER DELETE ON main.name WHEN OLD.transform IS NOT NULL
         BEGIN {} END;",
        unless_another_leads("NEW"),
        clear("OLD.figure_id", ""),
        clear("NEW.figure_id", ""),
        unless_another_leads("OLD"),
    ))
}
