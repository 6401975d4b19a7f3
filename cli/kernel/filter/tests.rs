//! The filter, run by an interpreter of our own.

use nix::libc;

use super::super::calls::{ABIS, ABIS_OF_ARM, ABIS_OF_X86, Abi, Call};
use super::{Instruction, of_machine};

const NUMBER: u64 = 0x1234_5678_9abc_def0;

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Pass,
    Ask,
    Errno(u32),
}

/// Each machine's ways to call, whichever this one is.
const MACHINES: [&[Abi]; 2] = [ABIS_OF_X86, ABIS_OF_ARM];

/// Every way to call of every machine, with its filter.
fn every_way() -> impl Iterator<Item = (Vec<Instruction>, &'static Abi)> {
    MACHINES
        .iter()
        .flat_map(|abis| abis.iter().map(|abi| (of_machine(abis, NUMBER), abi)))
}

/// What this machine's filter answers to a call.
fn answer(arch: u32, number: u32, arguments: [u64; 6]) -> Answer {
    run(&of_machine(ABIS, NUMBER), arch, number, arguments)
}

fn run(program: &[Instruction], arch: u32, number: u32, arguments: [u64; 6]) -> Answer {
    let mut data = Vec::new();
    data.extend(number.to_ne_bytes());
    data.extend(arch.to_ne_bytes());
    data.extend([0; 8]);
    for argument in arguments {
        data.extend(argument.to_ne_bytes());
    }
    let (mut at, mut a) = (0, 0_u32);
    loop {
        let step = program[at];
        at += 1;
        match u32::from(step.code) {
            0x20 => {
                let word = &data[step.k as usize..][..4];
                a = u32::from_ne_bytes(word.try_into().unwrap());
            }
            0x54 => a &= step.k,
            0x05 => at += step.k as usize,
            0x15 => at += usize::from(if a == step.k { step.jt } else { step.jf }),
            0x35 => at += usize::from(if a >= step.k { step.jt } else { step.jf }),
            0x45 => at += usize::from(if a & step.k != 0 { step.jt } else { step.jf }),
            0x06 => {
                return match step.k & libc::SECCOMP_RET_ACTION_FULL {
                    libc::SECCOMP_RET_ALLOW => Answer::Pass,
                    libc::SECCOMP_RET_USER_NOTIF => Answer::Ask,
                    libc::SECCOMP_RET_ERRNO => Answer::Errno(step.k & libc::SECCOMP_RET_DATA),
                    other => panic!("{other:x}"),
                };
            }
            code => panic!("{code:x}"),
        }
    }
}

/// Arguments that make a call of this kind destroy something, whatever it is.
fn destructive(call: Call) -> [u64; 6] {
    let flags = (libc::O_WRONLY | libc::O_TRUNC) as u64;
    match call {
        Call::Open => [1, flags, 0, 0, 0, 0],
        Call::OpenAt | Call::OpenByHandle => [1, 1, flags, 0, 0, 0],
        Call::Fallocate => [1, libc::FALLOC_FL_PUNCH_HOLE as u64, 0, 0, 0, 0],
        Call::Fcntl => [1, libc::F_SETFL as u64, 0, 0, 0, 0],
        Call::Prctl => [libc::PR_CAPBSET_DROP as u64, 1, 0, 0, 0, 0],
        _ => [1, 1, 1, 1, 1, 0],
    }
}

#[test]
fn every_row_is_asked_about_unless_the_library_has_judged() {
    for (program, abi) in every_way() {
        let answer = |number, arguments| run(&program, abi.arch, number, arguments);
        for (number, call) in abi.table {
            let mut arguments = destructive(*call);
            let row = format!("{call:?} {number} of {:x}", abi.arch);
            if *call == Call::Ring {
                let none = Answer::Errno(libc::ENOSYS as u32);
                assert_eq!(answer(*number, arguments), none, "{row}");
                continue;
            }
            assert_eq!(answer(*number, arguments), Answer::Ask, "{row}");
            arguments[5] = NUMBER;
            let is_deed = !matches!(call, Call::Changes | Call::Prctl | Call::Confines);
            let judged = match abi.is_narrow || !is_deed {
                true => Answer::Ask,
                false => Answer::Pass,
            };
            assert_eq!(answer(*number, arguments), judged, "{row}");
            for near in [
                NUMBER ^ 1,
                NUMBER ^ 1 << 40,
                NUMBER & u64::from(u32::MAX),
                NUMBER << 32,
            ] {
                arguments[5] = near;
                assert_eq!(answer(*number, arguments), Answer::Ask, "{row}");
            }
        }
    }
}

#[test]
fn every_other_number_passes() {
    for (program, abi) in every_way() {
        let answer = |number, arguments| run(&program, abi.arch, number, arguments);
        for number in 0..600 {
            if abi.table.iter().all(|(known, _)| *known != number) {
                assert_eq!(answer(number, [u64::MAX; 6]), Answer::Pass, "{number}");
            }
        }
    }
}

#[test]
fn what_cannot_destroy_by_its_flags_passes() {
    let abi = &ABIS[0];
    let number = |wanted| {
        let row = abi.table.iter().find(|(_, call)| *call == wanted).unwrap();
        row.0
    };
    for (flags, expected) in [
        (libc::O_RDONLY, Answer::Pass),
        (
            libc::O_RDONLY | libc::O_NOFOLLOW | libc::O_CLOEXEC,
            Answer::Pass,
        ),
        (libc::O_RDWR | libc::O_PATH, Answer::Pass),
        (libc::O_RDWR | libc::O_TMPFILE, Answer::Pass),
        (libc::O_RDONLY | libc::O_TRUNC, Answer::Ask),
        (libc::O_RDONLY | libc::O_CREAT, Answer::Ask),
        (libc::O_WRONLY, Answer::Ask),
        (libc::O_RDWR | libc::O_APPEND, Answer::Ask),
    ] {
        let arguments = [1, 1, flags as u64, 0, 0, 0];
        let found = answer(abi.arch, number(Call::OpenAt), arguments);
        assert_eq!(found, expected, "{flags:o}");
    }
    let fcntl = |command: i32, argument: i32| {
        let arguments = [1, command as u64, argument as u64, 0, 0, 0];
        answer(abi.arch, number(Call::Fcntl), arguments)
    };
    assert_eq!(fcntl(libc::F_GETFL, 0), Answer::Pass);
    assert_eq!(fcntl(libc::F_SETFL, libc::O_APPEND), Answer::Pass);
    assert_eq!(fcntl(libc::F_SETFL, libc::O_NONBLOCK), Answer::Ask);
    let keep = libc::FALLOC_FL_KEEP_SIZE as u64;
    let fallocate = answer(abi.arch, number(Call::Fallocate), [1, keep, 0, 9, 0, 0]);
    assert_eq!(fallocate, Answer::Pass);
}

#[test]
fn a_way_to_call_that_is_not_known_has_no_calls() {
    let none = Answer::Errno(libc::ENOSYS as u32);
    assert_eq!(answer(0x1234, 1, [0; 6]), none);
}

#[test]
fn what_takes_rights_away_is_told_whatever_its_other_arguments() {
    for (program, abi) in every_way() {
        let row = abi.table.iter().find(|(_, call)| *call == Call::Prctl);
        let (number, _) = row.unwrap();
        for option in 0..100 {
            let answer = run(
                &program,
                abi.arch,
                *number,
                [1 << 32 | option, 1, 0, 0, 0, NUMBER],
            );
            let expected = match option {
                // PR_CAPBSET_DROP, PR_SET_SECUREBITS, PR_CAP_AMBIENT
                24 | 28 | 47 => Answer::Ask,
                _ => Answer::Pass,
            };
            assert_eq!(answer, expected, "{option} {:x}", abi.arch);
        }
    }
}
