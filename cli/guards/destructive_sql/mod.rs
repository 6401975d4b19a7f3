//! `destructive-sql-needs-a-where`: statements that take every row, given to a database's client.

mod clients;
mod statements;

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Subject};
use crate::git::Silence;
use clients::{Source, given};
use statements::{Danger, first_danger};

pub(super) const GUARD: Guard = Guard {
    id: "destructive-sql-needs-a-where",
    title: "SQL that removes or changes every row, or drops what holds them",
    prevents: "an UPDATE users SET role = 'admin' run from a shell without its WHERE: the whole table had it",
    tools: &[Tool::Shell],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::shell("psql -c 'DELETE FROM users'").saying("DELETE without WHERE"),
        Example::shell("psql shop -c \"delete from users;\"").saying("DELETE without WHERE"),
        Example::shell("psql --command='UPDATE users SET role = 1' shop").saying("UPDATE without WHERE"),
        Example::shell("psql -c 'TRUNCATE users, orders'").saying("TRUNCATE"),
        Example::shell("psql -c 'DROP TABLE users'").saying("DROP TABLE"),
        Example::shell("psql -c 'drop database shop'").saying("DROP DATABASE"),
        Example::shell("psql -Atc 'DELETE FROM users' shop").saying("DELETE without WHERE"),
        Example::shell("mysql -Nse 'DROP TABLE users' shop").saying("DROP TABLE"),
        Example::shell("mysql -e\"DROP TABLE users\" shop").saying("DROP TABLE"),
        Example::shell("mysql -u root -pX shop -e 'DROP TABLE users'").saying("DROP TABLE"),
        Example::shell("mysql --execute='DELETE FROM `users`' shop").saying("DELETE without WHERE"),
        Example::shell("sqlite3 app.db 'DELETE FROM users'").saying("DELETE without WHERE"),
        Example::shell("sqlite3 app.db \"SELECT 1; DROP TABLE users;\"").saying("DROP TABLE"),
        Example::shell("psql <<'EOF'\nBEGIN;\nDELETE FROM users;\nCOMMIT;\nEOF").saying("DELETE without WHERE"),
        Example::shell("echo 'DROP TABLE users;' | psql shop").saying("DROP TABLE"),
        Example::shell("printf 'DELETE FROM users;' | sqlite3 app.db").saying("DELETE without WHERE"),
        Example::shell("psql <<< 'TRUNCATE users'").saying("TRUNCATE"),
        Example::shell("psql -f wipe.sql").given("echo 'DELETE FROM users;' > wipe.sql").saying("DELETE without WHERE"),
        Example::shell("psql < wipe.sql").given("echo 'DELETE FROM users;' > wipe.sql").saying("DELETE without WHERE"),
        Example::shell("echo 'DROP TABLE users;' > wipe.sql && mysql shop < wipe.sql").saying("DROP TABLE"),
        Example::shell("psql -c 'DELETE FROM users WHERE 1=1'").saying("every row"),
        Example::shell("psql -c 'ALTER TABLE users DROP COLUMN email'").saying("DROP COLUMN"),
        Example::shell("psql -c \"WITH gone AS (DELETE FROM users RETURNING *) SELECT * FROM gone\"").saying("DELETE without WHERE"),
        Example::shell("docker compose exec -T db psql -U app -c 'TRUNCATE users'").saying("TRUNCATE"),
        Example::shell("docker exec db sh -c 'mysql -e \"DROP DATABASE shop\"'").saying("DROP DATABASE"),
        Example::shell("kubectl exec -it db-0 --context dev -- psql -c 'DROP TABLE users'").saying("DROP TABLE"),
        Example::shell("PGPASSWORD=x psql -h db -c 'delete /* where */ from users -- where id = 1'").saying("DELETE without WHERE"),
        Example::shell("psql -f wipe.sql").after(&[Call::Write("wipe.sql", "DELETE FROM users;")]).saying("DELETE without WHERE"),
    ],
    allowed: &[
        Example::shell("psql -c 'DELETE FROM users WHERE id = 7'"),
        Example::shell("psql -c \"UPDATE users SET role = 1 WHERE email = 'a@b'\""),
        Example::shell("psql -c \"SELECT 'DROP TABLE users'\""),
        Example::shell("psql -c \"INSERT INTO log VALUES ('DELETE FROM users')\""),
        Example::shell("psql -c 'SELECT * FROM users -- DROP TABLE users'"),
        Example::shell("psql -c 'SELECT * FROM users FOR UPDATE'"),
        Example::shell("psql -c 'CREATE TABLE a (b int REFERENCES c ON DELETE CASCADE ON UPDATE CASCADE)'"),
        Example::shell("psql -c 'INSERT INTO a VALUES (1) ON CONFLICT (id) DO UPDATE SET n = 1'"),
        Example::shell("psql -c 'GRANT DELETE, UPDATE, TRUNCATE ON users TO app'"),
        Example::shell("psql -c 'DROP INDEX users_email_idx'"),
        Example::shell("psql -c 'EXPLAIN DELETE FROM users'"),
        Example::shell("psql -c 'BEGIN; DELETE FROM users; ROLLBACK;'"),
        Example::shell("psql -c '\\dt'"),
        Example::shell("sqlite3 :memory: 'DROP TABLE x'"),
        Example::shell("sqlite3 app.db .dump"),
        Example::shell("psql -f db/migrations/002_drop.sql")
            .given("mkdir -p db/migrations; echo 'DROP TABLE old;' > db/migrations/002_drop.sql; git add -A; git commit -qm m"),
        Example::of(Call::Write("db/migrations/003_more.sql", "DROP TABLE old;")),
        Example::shell("echo 'DROP TABLE users;' > notes.sql"),
        Example::shell("grep -rn 'DROP TABLE' ."),
        Example::shell("git commit --allow-empty -m 'psql -c \"DROP TABLE users\"'"),
        Example::shell("psql -f gone.sql"),
        Example::shell("docker compose exec db psql -c 'SELECT 1'"),
    ],
};

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Command(command) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    let mut near = None;
    for (source, text) in given(command) {
        match first_danger(&text) {
            None => {}
            Some(Danger::Undone) => near = Some("the transaction is rolled back"),
            Some(Danger::Done(what)) => {
                if let Source::File(path) = &source
                    && !command.touched.contains(path)
                    && !case.background.past.wrote(path)
                    && is_tracked(case, path)?
                {
                    near = Some("git tracks the file that is run");
                    continue;
                }
                return Ok(Opinion::Refuses(Finding {
                    operation: "query",
                    about: what.clone().into_bytes(),
                    reasons: vec![match source {
                        Source::Words => what,
                        Source::File(path) => {
                            format!("{what}, in {}", crate::message::escape(&path))
                        }
                    }],
                    instead: "say with WHERE which rows are meant, or leave it to the user to run"
                        .to_owned(),
                }));
            }
        }
    }
    near.map_or(Ok(Opinion::Silent), Opinion::passes)
}

fn is_tracked(case: &Case<'_>, path: &[u8]) -> Result<bool, Silence> {
    let Some(repository) =
        crate::git::Repository::seen_from(crate::case::folder(path), case.variable)
    else {
        return Ok(false);
    };
    let words: [&[u8]; 4] = [b"ls-files", b"--error-unmatch", b"--", path];
    repository.holds_plainly(case.git, &words)
}
