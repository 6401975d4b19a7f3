//! Downloads and what is remembered of hosts.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[
    Work {
        name: "wget and curl",
        needs: &["wget", "curl", "python3"],
        before: r#"mkdir served && echo text > served/f && printf '# HSTS 1.0 Known Hosts database for GNU Wget.\nx.example.com\t0\t1\t1700000000\t31536000\n' > ~/.wget-hsts &&
            printf '# Netscape HTTP Cookie File\n' > cookies && echo old > f && echo $((20000 + $$ % 20000)) > port"#,
        script: r#"port=$(cat port); (cd served && exec python3 -m http.server -b 127.0.0.1 "$port") > /dev/null 2>&1 &
            server=$! from=http://127.0.0.1:$port
            for try in 1 2 3 4 5 6 7 8 9 10; do curl -s -o /dev/null "$from/f" && break; sleep 0.2; done
            wget -q -O f "$from/f" && cat f && wget -q "$from/f" && wget -q -c "$from/f" && wget -q -N "$from/f"; echo $?
            curl -sS -b cookies -c cookies -O "$from/f"; echo $?; curl -sS --etag-save etag -o g "$from/f"; echo $?
            kill "$server"; wait "$server" 2> /dev/null; rm port etag; ls -A ~ ."#,
    },
    Work {
        name: "shared memory and semaphores",
        needs: &["python3"],
        before: r#"cat > shared.py <<'EOF'
from multiprocessing import Pool, Semaphore, shared_memory
import os
def main():
    name = f"blastradius-{os.getpid()}"
    one = shared_memory.SharedMemory(create=True, size=4096, name=name)
    two = shared_memory.SharedMemory(name=name)
    two.buf[0] = 7
    print(one.buf[0])
    two.close()
    one.close()
    one.unlink()
    lock = Semaphore(1)
    lock.acquire()
    lock.release()
    with Pool(2) as pool:
        print(sum(pool.map(abs, [1, -2, 3])))
main()
EOF"#,
        script: "python3 shared.py && ls /dev/shm | grep -c ^blastradius- || true",
    },
];
