//! The script for Slurm, with stand-ins for `sbatch`, which keep its arguments and run its jobs when a test wants it.

use crate::support::parts::without_time;
use crate::support::program::{run, stderr, stdout};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A cluster that manages memory or not.
fn cluster(folder: &Path, selects: &str) {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let sbatch = "#!/bin/bash\n\
                  job=$(($(ls \"$QUEUE\" | grep -c arguments) + 1))\n\
                  printf '%s\\n' \"$@\" >\"$QUEUE/$job.arguments\"\n\
                  cat >\"$QUEUE/$job.sh\"\n\
                  echo \"$job\"\n";
    let scontrol = format!("#!/bin/sh\necho 'SelectTypeParameters    = {selects}'\n");
    for (name, text) in [("sbatch", sbatch), ("scontrol", &scontrol)] {
        fs::write(bin.join(name), text).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    let queue = folder.join("queue");
    let _ = fs::remove_dir_all(&queue);
    fs::create_dir(queue).unwrap();
}

/// Runs bash with the cluster, and the program behind a launcher.
fn bash(folder: &Path, args: &[&str], task: &str) -> Output {
    let bin = folder.join("bin");
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(args).current_dir(folder).env("PATH", path).env("QUEUE", folder.join("queue"));
    let program = format!("env SLURM_JOB_ID=9 {}", env!("CARGO_BIN_EXE_somacat"));
    command.env("SOMACAT", program).env("SOMACAT_UNITS", "--count 3 --quiet");
    command.env("SOMACAT_NUMBER", "3").env("SOMACAT_STRIDE", "3").env("SOMACAT_MERGE", "");
    command.env("SLURM_ARRAY_TASK_ID", task).env_remove("SOMACAT_DB");
    command.output().unwrap()
}

fn submit(folder: &Path, options: &[&str], code: i32) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/slurm.sh");
    let done = bash(folder, &[&[script, "plan.toml"], options].concat(), "");
    assert_eq!(done.status.code(), Some(code), "{options:?}: {}", stderr(&done));
    stdout(&done) + &stderr(&done)
}

/// Returns the arguments of a job, joined by blanks.
fn arguments(folder: &Path, job: u32) -> String {
    let lines = fs::read_to_string(folder.join(format!("queue/{job}.arguments"))).unwrap();
    format!(" {} ", lines.lines().collect::<Vec<_>>().join(" "))
}

fn plan(folder: &Path) {
    let plan = "[[symmetric]]\ncells = 27\nclass = [\"C3v\", \"C3i\"]\n[[box]]\nsides = \"2x3x5\"\ncells = 27\n";
    fs::write(folder.join("plan.toml"), plan).unwrap();
}

#[test]
fn each_job_gets_the_options_that_concern_it() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    plan(folder);
    cluster(folder, "CR_CPU");
    let options = [
        "--time=0",
        "--partition=long",
        "--dependency=afterok:7",
        "-c",
        "2",
        "--throttle",
        "5",
        "--merge-qos=low",
        "-ologs/%a",
    ];
    submit(folder, &options, 0);
    let [tasks, merge] = [1, 2].map(|job| arguments(folder, job));
    for part in [
        " --array=1-3%5 ",
        " --time=0 ",
        " --dependency afterok:7 ",
        " -c 2 ",
        " -o logs/%a ",
        " --partition=long ",
    ] {
        assert!(tasks.contains(part), "{part}: {tasks}");
    }
    for part in [" --dependency=afterany:1 ", " --partition=long ", " --qos=low ", " --time=10 "] {
        assert!(merge.contains(part), "{part}: {merge}");
    }
    assert!(!merge.contains("afterok") && !merge.contains("--array") && !merge.contains(" -c "));
    // This cluster does not manage memory.
    assert!(!tasks.contains("--mem") && !merge.contains("--mem"), "{tasks}{merge}");

    cluster(folder, "CR_CORE_MEMORY");
    submit(folder, &["--array=2", "--merge-mem=3G"], 0);
    let [tasks, merge] = [1, 2].map(|job| arguments(folder, job));
    assert!(tasks.contains(" --array 2 ") && tasks.contains(" --mem="), "{tasks}");
    assert!(tasks.contains(" --time=1") && merge.contains(" --mem=3G "), "{tasks}{merge}");
    assert!(!merge.contains("--array"), "{merge}");

    // A limit as short as the time before it at which a job is asked to stop.
    for option in ["--time", "--merge-time"] {
        let told = submit(folder, &[&format!("{option}=1")], 2);
        assert!(told.contains(&format!("write {option}=11")), "{told}");
    }
    assert!(submit(folder, &["--throttle=many"], 2).contains("not a number of tasks"));
}

#[test]
fn a_damaged_part_of_the_right_length_is_worked_again() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    plan(folder);
    cluster(folder, "CR_CPU");
    submit(folder, &[], 0);
    let task = |job: &str, task: &str, code: i32| {
        let done = bash(folder, &[&format!("queue/{job}.sh")], task);
        let told = stdout(&done) + &stderr(&done);
        assert_eq!(done.status.code(), Some(code), "{told}");
        told
    };
    ["1", "2", "3"].iter().for_each(|number| drop(task("1", number, 0)));
    let path = folder.join("parts/0002");
    let sound = fs::read(&path).unwrap();
    let mut damaged = sound.clone();
    let second_line = damaged.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    damaged[second_line] ^= 1;
    fs::write(&path, damaged).unwrap();
    let refused = task("2", "", 5);
    assert!(refused.contains("parts/0002: is damaged: its SHA-256 begins"), "{refused}");
    let status = |more: &[&str]| {
        let args = [&["units", "--status", "units.txt", "parts", "-q"], more].concat();
        stdout(&run(folder, &args))
    };
    assert_eq!(status(&["--unfinished"]), "2\n");
    assert!(status(&["--unfinished", "--csv"]).contains("\n2,damaged,"));

    // The same command submits the unit that the merge named, and no other.
    cluster(folder, "CR_CPU");
    submit(folder, &[], 0);
    assert!(arguments(folder, 1).contains(" --array=2 "), "{}", arguments(folder, 1));
    task("1", "2", 0);
    assert!(without_time(&fs::read(&path).unwrap()) == without_time(&sound));
    task("2", "", 0);
    assert!(folder.join("somacat.db").is_file());
    cluster(folder, "CR_CPU");
    assert!(submit(folder, &[], 0).contains("all 3 units are finished"));
}

/// A unit that was stopped or failed does not run, and its last program is named.
#[test]
fn the_status_says_who_worked_and_how_it_ended() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let maps: String = (0..40).map(|n| format!("figure {n}: {}\n", "9".repeat(3))).collect();
    fs::write(folder.join("maps.txt"), maps).unwrap();
    fs::write(folder.join("plan.toml"), "import = [\"maps.txt\"]\n").unwrap();
    cluster(folder, "CR_CPU");
    let units = run(folder, &["units", "plan.toml", "--count", "1", "-q"]);
    fs::write(folder.join("units.txt"), units.stdout).unwrap();
    // No file, not even that of a root user, replaces a folder: the part cannot be written.
    fs::create_dir_all(folder.join("parts/0001/taken")).unwrap();
    let work = "$SOMACAT work units.txt --unit 1 --out parts -q";
    assert_eq!(bash(folder, &["-c", work], "").status.code(), Some(1));
    let status = |more: &[&str]| {
        let args = [&["units", "--status", "units.txt", "parts", "-q", "--csv"], more].concat();
        stdout(&run(folder, &args))
    };
    assert!(status(&[]).contains(",1,0,0,0,1,0,0,"), "{}", status(&[]));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
    let row = status(&["--unfinished"]);
    assert!(
        row.contains("\n1,failed,") && row.ends_with(&format!(",{},9\n", host.trim())),
        "{row}"
    );
    fs::remove_dir_all(folder.join("parts/0001")).unwrap();
    assert_eq!(bash(folder, &["-c", work], "").status.code(), Some(0));
    assert!(status(&[]).contains(",1,1,0,0,0,0,0,"), "{}", status(&[]));
}
