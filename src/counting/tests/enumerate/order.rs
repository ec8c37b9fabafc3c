//! The order of figures: always the same, from any position and with any number of threads, and stops at every
//! stage.

use super::{EQUIVALENCES, GO};
use crate::support::deadline::with_deadline;
use somacat_counting::enumerate::{
    BoxSpec, Enumeration, EnumerationSpec, FigureShape, Place, SymmetricSpec,
};
use somacat_geometry::figure::{Candidate, Equivalence};
use somacat_geometry::symmetry::Class;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Computes FNV-1a over the lines of a sequence of figures: shard, number, signature and group of each.
fn digest(enumeration: &Enumeration) -> (u64, u64) {
    let (mut hash, mut figures) = (0xcbf2_9ce4_8422_2325_u64, 0);
    let line = |c: Candidate| Some(format!("{} {}", c.signature(), c.group().mask()));
    let _ = enumeration.for_each_mapped(Place::default(), &GO, line, &mut |place, line| {
        for byte in format!("{} {} {line}\n", place.shard, place.figures).bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        figures += 1;
        ControlFlow::Continue(())
    });
    (figures, hash)
}

/// Catalogs store positions of enumerations under keys of version 1. The digests come from the first program that
/// stored positions. Any change of a digest requires a new version.
#[test]
fn figures_keep_their_established_order() {
    let symmetric = [
        ("C3", true, 17, None, 81, 0xc8af_b138_6e48_477c),
        ("C3", false, 15, None, 77, 0x2778_032e_bca5_2e6c),
        ("C3i", false, 21, None, 5, 0xb8ed_3f19_afd0_9ad0),
        ("C2v(edge)", false, 16, None, 3764, 0x76ba_e3c8_dad1_6469),
        ("C2v(face,planar)", true, 15, None, 6997, 0xe36d_f528_4e97_57f7),
        ("C4", true, 18, None, 31, 0xb1b1_7acf_4372_c9c5),
        ("S4", false, 20, None, 963, 0xbd04_8295_962d_e7e3),
        ("Oh", true, 48, None, 6, 0x0338_9861_8aeb_40e9),
        ("D2(face)", true, 18, None, 136, 0x6281_3b78_310a_bf05),
        ("C1", true, 8, Some([8, 8, 8]), 3025, 0x3406_026e_56b7_0ccf),
        ("C1", false, 9, Some([3, 4, 3]), 14140, 0xec95_b45f_5c43_c579),
        ("C2(face)", true, 11, Some([5, 3, 4]), 396, 0x017b_45ac_2951_e14b),
        ("Cs(planar)", true, 10, Some([10, 10, 10]), 8429, 0x4ada_b541_c3ee_ef4e),
        ("Ci", true, 12, Some([4, 4, 4]), 345, 0x6d80_5abd_f337_fb28),
        ("C2(edge)", true, 12, Some([99, 4, 4]), 2441, 0xc737_8a1a_75b4_84af),
        ("Cs(diagonal)", false, 10, Some([200, 200, 3]), 720, 0x05d5_cfd9_3d8c_1272),
        ("C3v", true, 14, Some([14, 14, 14]), 6, 0x3674_6ede_27ce_adfb),
        ("D3", false, 18, Some([9, 9, 9]), 19, 0x4067_2228_5471_6bf9),
    ];
    for (class, exact, cells, bounds, figures, hash) in symmetric {
        let spec = SymmetricSpec {
            exact,
            bounds,
            ..SymmetricSpec::containing(Class::matching(class).unwrap()[0], cells)
        };
        let enumeration = Enumeration::symmetric(spec).unwrap();
        assert!(enumeration.question().key().starts_with("symmetric/1 "));
        assert_eq!(digest(&enumeration), (figures, hash), "{class} of {cells} cells");
    }
    let boxes = [
        ([2, 3, 5], 27, false, FigureShape::Any, 550, 0xfdda_74ca_b13e_91cd),
        ([4, 2, 4], 26, true, FigureShape::Any, 55133, 0xea04_e422_de1c_c17f),
        ([3, 3, 3], 13, true, FigureShape::Any, 77447, 0x52cb_2d30_6151_7d83),
        ([3, 3, 4], 31, false, FigureShape::Any, 24656, 0x5786_1d35_e03c_8b38),
        ([2, 4, 2], 8, true, FigureShape::Any, 209, 0xccdb_4c1b_4967_6c52),
        ([4, 4, 4], 7, true, FigureShape::Any, 540, 0xd794_e554_e42a_6540),
        ([3, 3, 4], 20, false, FigureShape::Towers, 20794, 0x1398_263e_fc15_2981),
        ([4, 2, 5], 18, true, FigureShape::Towers, 24899, 0x3943_192b_f663_789f),
    ];
    for (sides, cells, connected, shape, figures, hash) in boxes {
        let spec = BoxSpec { connected, shape, ..BoxSpec::new(sides, cells) };
        let enumeration = Enumeration::in_box(spec).unwrap();
        assert!(enumeration.question().key().starts_with("box/1 "));
        assert_eq!(digest(&enumeration), (figures, hash), "{cells} cells in {sides:?}");
    }
}

/// Returns one question for each method, up to reflections or rotations.
fn questions(equivalence: Equivalence) -> Vec<Enumeration> {
    let class = |name: &str| Class::matching(name).unwrap()[0];
    let symmetric = [
        SymmetricSpec::containing(class("C2v(face,planar)"), 14),
        SymmetricSpec::containing(class("C4"), 18),
        SymmetricSpec {
            bounds: Some([2, 3, 4]),
            parts: 2,
            ..SymmetricSpec::containing(class("C2(face)"), 14)
        },
        SymmetricSpec {
            bounds: Some([6, 6, 6]),
            parts: 2,
            ..SymmetricSpec::containing(class("C2(face)"), 8)
        },
    ];
    let boxes = [
        BoxSpec::new([2, 3, 3], 9),
        BoxSpec { connected: true, ..BoxSpec::new([2, 4, 4], 27) },
        BoxSpec { connected: true, ..BoxSpec::new([3, 3, 3], 8) },
        BoxSpec { shape: FigureShape::Towers, ..BoxSpec::new([3, 3, 4], 10) },
    ];
    let symmetric =
        symmetric.map(|s| EnumerationSpec::Symmetric(SymmetricSpec { equivalence, ..s }));
    let boxes = boxes.map(|spec| EnumerationSpec::Box(BoxSpec { equivalence, ..spec }));
    symmetric.into_iter().chain(boxes).map(|q| Enumeration::new(q).unwrap()).collect()
}

#[test]
fn the_order_does_not_depend_on_the_number_of_threads() {
    for enumeration in EQUIVALENCES.iter().flat_map(|&equivalence| questions(equivalence)) {
        let in_order = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| digest(&enumeration))
        };
        let alone = in_order(1);
        assert!(alone.0 > 20, "{}", enumeration.question().label());
        assert!(alone == in_order(2) && alone == in_order(5));
    }
}

#[test]
fn an_enumeration_resumes_from_any_position() {
    for enumeration in EQUIVALENCES.iter().flat_map(|&equivalence| questions(equivalence)) {
        let list_from = |from: Place| {
            let (mut listed, figure) = (Vec::new(), |c: Candidate| Some(c.figure().clone()));
            let _ = enumeration.for_each_mapped(from, &GO, figure, &mut |place, figure| {
                listed.push((place, figure));
                ControlFlow::Continue(())
            });
            listed
        };
        let all = list_from(Place::default());
        for at in [0, 1, all.len() / 3, all.len() / 2, all.len() - 2, all.len() - 1] {
            assert_eq!(list_from(all[at].0), all[at + 1..], "from {:?}", all[at].0);
        }
    }
}

#[test]
fn a_run_can_be_stopped_from_both_sides() {
    let spec = SymmetricSpec::containing(Class::matching("C3").unwrap()[0], 20);
    let source = Enumeration::symmetric(spec).unwrap();
    let mut seen = 0;
    let flow = source.for_each(&GO, &mut |_| {
        seen += 1;
        if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((flow, seen), (ControlFlow::Break(()), 5));
    let stop = AtomicBool::new(false);
    let flow = source.for_each(&stop, &mut |_| {
        seen += 1;
        stop.store(seen == 8, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert_eq!((flow, seen), (ControlFlow::Break(()), 8));
    assert_eq!(source.count(&stop), None);
    assert!(source.estimate(&stop).is_empty());
}

/// A function that works until the stop flag is set. It returns true if it saw the flag.
type Work<'a> = dyn Fn(&AtomicBool) -> bool + 'a;

/// Each of these would take years. It is stopped while tables or shards are prepared, or inside a shard, before or
/// after its first figure.
#[test]
fn a_stop_takes_effect_at_every_stage() {
    let class = |name: &str| Class::matching(name).unwrap()[0];
    let in_box = |name: &str, cells, sides, parts| {
        EnumerationSpec::Symmetric(SymmetricSpec {
            bounds: Some(sides),
            parts,
            ..SymmetricSpec::containing(class(name), cells)
        })
    };
    let endless = [
        in_box("C1", 36, [36; 3], 1),
        in_box("Ci", 150, [150; 3], 1),
        in_box("C2(face)", 40, [30; 3], 3),
        in_box("D4", 150, [20; 3], 3),
        in_box("C1", 60, [4, 5, 6], 9),
        EnumerationSpec::Symmetric(SymmetricSpec::containing(class("C3"), 150)),
        EnumerationSpec::Box(BoxSpec::new([4, 5, 6], 60)),
        EnumerationSpec::Box(BoxSpec { shape: FigureShape::Towers, ..BoxSpec::new([6, 6, 3], 50) }),
    ];
    for question in endless {
        let label = question.label();
        let enumeration = Enumeration::new(question).unwrap();
        for wait in [10, 100] {
            let list = |stop: &AtomicBool| {
                enumeration.for_each(stop, &mut |_| ControlFlow::Continue(())).is_break()
            };
            let count = |stop: &AtomicBool| enumeration.count(stop).is_none();
            let estimate = |stop: &AtomicBool| {
                let _ = enumeration.estimate(stop);
                stop.load(Ordering::Relaxed)
            };
            let ways: [(&str, &Work<'_>); 3] =
                [("list", &list), ("count", &count), ("estimate", &estimate)];
            for (what, work) in ways {
                let stop = AtomicBool::new(false);
                std::thread::scope(|scope| {
                    scope.spawn(|| {
                        // At different stages. The result is the same at any of them.
                        std::thread::sleep(Duration::from_millis(wait));
                        stop.store(true, Ordering::Relaxed);
                    });
                    let ended = with_deadline(&format!("{label}: {what}"), || work(&stop));
                    assert!(ended, "{label}: {what} ended");
                });
            }
        }
    }
}
