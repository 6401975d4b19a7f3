//! The filter: which calls the supervisor is asked about. What the library has judged carries the session number,
//! and what cannot destroy by its flags passes: neither leaves the kernel.

use nix::libc;

use super::calls::{ABIS, Abi, Call};
use super::sys::Instruction;

/// The filter of a session.
pub(super) fn filter(session_number: u64) -> Vec<Instruction> {
    of_machine(ABIS, session_number)
}

fn of_machine(abis: &[Abi], session_number: u64) -> Vec<Instruction> {
    let mut program = vec![load(ARCH)];
    for abi in abis {
        let body = of_abi(abi, session_number);
        // The next one begins after this, which may be further than a conditional jump reaches.
        program.extend([equal(abi.arch, 1, 0), jump(body.len() as u32)]);
        program.extend(body);
    }
    // A way to call that no table is about: no program of this machine has one.
    program.push(answer(
        libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned(),
    ));
    program
}

fn of_abi(abi: &Abi, session_number: u64) -> Vec<Instruction> {
    let mut rows = abi.table.to_vec();
    rows.sort_unstable_by_key(|(number, _)| *number);
    let mut blocks: Vec<Vec<Instruction>> = Vec::new();
    let leaves: Vec<(u32, usize)> = rows
        .into_iter()
        .map(|(number, call)| {
            let block = of_call(abi, call, session_number);
            let known = blocks.iter().position(|known| is_same(known, &block));
            let at = known.unwrap_or_else(|| {
                blocks.push(block);
                blocks.len() - 1
            });
            (number, at)
        })
        .collect();
    let mut body = vec![load(NUMBER)];
    #[cfg(target_arch = "x86_64")]
    body.push(and(!super::calls::X32_BIT));
    let mut leads = Vec::new();
    search(&leaves, &mut body, &mut leads);
    let mut starts = Vec::new();
    for block in blocks {
        starts.push(body.len());
        body.extend(block);
    }
    for (from, block) in leads {
        body[from].jt = near(starts[block] - from - 1);
    }
    body
}

/// Looks a number up by halves: when the filter is put on, the kernel runs it for every number there is. `leads`
/// takes the instructions that are to lead to a block, by its place.
fn search(leaves: &[(u32, usize)], body: &mut Vec<Instruction>, leads: &mut Vec<(usize, usize)>) {
    match leaves {
        [] => body.push(PASS),
        [(number, block)] => {
            leads.push((body.len(), *block));
            body.extend([equal(*number, 0, 0), PASS]);
        }
        _ => {
            let (lower, upper) = leaves.split_at(leaves.len() / 2);
            let branch = body.len();
            body.push(at_least(upper[0].0, 0, 0));
            search(lower, body, leads);
            body[branch].jt = near(body.len() - branch - 1);
            search(upper, body, leads);
        }
    }
}

/// How far a conditional jump goes. The tables are short enough, as the tests of all of them show.
fn near(steps: usize) -> u8 {
    u8::try_from(steps).expect("a table too long for conditional jumps")
}

fn is_same(one: &[Instruction], other: &[Instruction]) -> bool {
    let parts = |step: &Instruction| (step.code, step.jt, step.jf, step.k);
    one.iter().map(parts).eq(other.iter().map(parts))
}

/// What is done about one number. Ends with an answer on every way.
fn of_call(abi: &Abi, call: Call, session_number: u64) -> Vec<Instruction> {
    let mut block = match call {
        Call::Ring => {
            return vec![answer(
                libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned(),
            )];
        }
        Call::Changes | Call::Confines => return vec![ASK],
        Call::Prctl => {
            let options = [
                libc::PR_CAPBSET_DROP,
                libc::PR_SET_SECUREBITS,
                libc::PR_CAP_AMBIENT,
            ];
            let mut block = vec![load(argument(0))];
            for (option, after) in options.into_iter().zip((0..3).rev()) {
                block.push(equal(option.cast_unsigned(), after + 1, 0));
            }
            block.extend([PASS, ASK]);
            return block;
        }
        Call::Open => open(1),
        Call::OpenAt | Call::OpenByHandle => open(2),
        Call::Fallocate => {
            const HARMLESS: libc::c_int = libc::FALLOC_FL_KEEP_SIZE | libc::FALLOC_FL_UNSHARE_RANGE;
            vec![load(argument(1)), any(!HARMLESS, 1, 0), PASS]
        }
        Call::Fcntl => vec![
            load(argument(1)),
            equal(libc::F_SETFL.cast_unsigned(), 1, 0),
            PASS,
            load(argument(2)),
            any(libc::O_APPEND, 0, 1),
            PASS,
        ],
        _ => Vec::new(),
    };
    if !abi.is_narrow {
        let (low, high) = (session_number as u32, (session_number >> 32) as u32);
        block.extend([
            load(argument(5)),
            equal(low, 0, 3),
            load(argument(5) + 4),
            equal(high, 0, 1),
            PASS,
        ]);
    }
    block.push(ASK);
    block
}

/// Opens that can neither write nor empty, and those of what cannot be written, pass. A file that is made may be
/// one of the guard's.
fn open(flags: u32) -> Vec<Instruction> {
    vec![
        load(argument(flags)),
        any(libc::O_PATH | libc::O_DIRECTORY, 1, 0),
        any(libc::O_ACCMODE | libc::O_TRUNC | libc::O_CREAT, 1, 0),
        PASS,
    ]
}

const PASS: Instruction = answer(libc::SECCOMP_RET_ALLOW);
const ASK: Instruction = answer(libc::SECCOMP_RET_USER_NOTIF);

/// Where `struct seccomp_data` has what.
const NUMBER: u32 = 0;
const ARCH: u32 = 4;

/// The lower half of a register, on both of our machines; its upper half comes after it.
const fn argument(index: u32) -> u32 {
    16 + 8 * index
}

const fn instruction(code: u32, jt: u8, jf: u8, k: u32) -> Instruction {
    Instruction {
        code: code as u16,
        jt,
        jf,
        k,
    }
}

const fn load(at: u32) -> Instruction {
    instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, at)
}

#[cfg(target_arch = "x86_64")]
const fn and(mask: u32) -> Instruction {
    instruction(libc::BPF_ALU | libc::BPF_AND | libc::BPF_K, 0, 0, mask)
}

const fn answer(value: u32) -> Instruction {
    instruction(libc::BPF_RET | libc::BPF_K, 0, 0, value)
}

const fn jump(over: u32) -> Instruction {
    instruction(libc::BPF_JMP | libc::BPF_JA, 0, 0, over)
}

/// Skips `then` instructions where the value is this one, else `otherwise`.
const fn equal(value: u32, then: u8, otherwise: u8) -> Instruction {
    let code = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    instruction(code, then, otherwise, value)
}

/// Skips `then` instructions where the value is this one or more, else `otherwise`.
const fn at_least(value: u32, then: u8, otherwise: u8) -> Instruction {
    let code = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    instruction(code, then, otherwise, value)
}

/// Skips `then` instructions where any of these bits is set, else `otherwise`.
const fn any(bits: libc::c_int, then: u8, otherwise: u8) -> Instruction {
    let code = libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K;
    instruction(code, then, otherwise, bits.cast_unsigned())
}

#[cfg(test)]
mod tests;
