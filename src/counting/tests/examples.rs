//! The programs of `examples` print what their heads show.

#[path = "../examples/certificate.rs"]
#[allow(dead_code)]
mod certificate;
#[path = "../examples/count_figure.rs"]
#[allow(dead_code)]
mod count_figure;
#[path = "../examples/figures_of_class.rs"]
#[allow(dead_code)]
mod figures_of_class;

/// Returns the block of text at the head of a program.
fn shown(program: &str) -> String {
    let head = program.lines().take_while(|line| line.starts_with("//!"));
    let block = head.skip_while(|line| *line != "//! ```text").skip(1);
    let block = block.take_while(|line| *line != "//! ```");
    block.map(|line| format!("{}\n", line.trim_start_matches("//!").trim_start())).collect()
}

#[test]
fn each_prints_what_its_head_shows() {
    let cube = count_figure::answer("s1-3x3x3-zzzzz3").unwrap();
    assert_eq!(cube, shown(include_str!("../examples/count_figure.rs")));
    let figures = figures_of_class::answer("D3d", 27).unwrap();
    assert_eq!(figures, shown(include_str!("../examples/figures_of_class.rs")));
    let proof = certificate::answer("s1-3x5x5-00w00w0yz0e0zf0").unwrap();
    assert_eq!(proof, shown(include_str!("../examples/certificate.rs")));
}
