//! `committed-migrations-are-immutable`: what other databases have run already.

use super::{Call, Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{By, Case, Change, Subject, What, file_name, folder};
use crate::git::{Repository, Silence};

pub(super) const GUARD: Guard = Guard {
    id: "committed-migrations-are-immutable",
    title: "a change to a migration that git tracks",
    prevents: "a column renamed in a migration that production had run: every new database differed from the old ones",
    tools: &[Tool::Shell, Tool::Write, Tool::Edit],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::of(Call::Edit(
            "db/migrate/20240102030405_add_users.rb",
            "a",
            "b",
        ))
        .given(TRACKED),
        Example::of(Call::Write("app/migrations/0001_initial.py", "x")).given(TRACKED),
        Example::of(Call::Edit(
            "prisma/migrations/20240101_init/migration.sql",
            "a",
            "b",
        ))
        .given(TRACKED),
        Example::shell("rm db/migrate/20240102030405_add_users.rb").given(TRACKED),
        Example::shell("git rm -q db/migrate/20240102030405_add_users.rb").given(TRACKED),
        Example::shell("mv app/migrations/0001_initial.py app/migrations/0002_initial.py")
            .given(TRACKED),
        Example::shell("git mv app/migrations/0001_initial.py app/migrations/0002_x.py")
            .given(TRACKED),
        Example::shell("sed -i s/a/b/ sql/V1__init.sql").given(TRACKED),
        Example::shell("echo x > sql/V1__init.sql").given(TRACKED),
        Example::shell("rm -rf app/migrations").given(TRACKED),
        Example::shell("truncate -s 0 alembic/versions/1975ea83b712_users.py").given(TRACKED),
    ],
    allowed: &[
        Example::of(Call::Write("db/migrate/20250102030405_more.rb", "x")).given(TRACKED),
        Example::of(Call::Edit("db/migrate/20250102030405_more.rb", "a", "b"))
            .given("mkdir -p db/migrate; echo a > db/migrate/20250102030405_more.rb"),
        Example::shell("rm db/migrate/20250102030405_more.rb")
            .given("mkdir -p db/migrate; echo a > db/migrate/20250102030405_more.rb"),
        Example::of(Call::Edit("app/migrations/__init__.py", "a", "b")).given(TRACKED),
        Example::of(Call::Edit("docs/migrations/2024-guide.md", "a", "b")).given(TRACKED),
        Example::of(Call::Read("app/migrations/0001_initial.py")).given(TRACKED),
        Example::of(Call::Edit("db/schema.rb", "a", "b")).given(TRACKED),
        Example::shell("git checkout -- db/migrate").given(TRACKED),
        Example::shell("rm -rf docs/migrations").given(TRACKED),
        Example::shell("cp app/migrations/0001_initial.py /tmp/x.py").given(TRACKED),
        Example::shell("cat app/migrations/0001_initial.py").given(TRACKED),
    ],
};

const TRACKED: &str = "mkdir -p db/migrate app/migrations prisma/migrations/20240101_init sql alembic/versions docs/migrations; \
     for f in db/migrate/20240102030405_add_users.rb app/migrations/0001_initial.py app/migrations/__init__.py \
     prisma/migrations/20240101_init/migration.sql sql/V1__init.sql alembic/versions/1975ea83b712_users.py \
     docs/migrations/2024-guide.md db/schema.rb; do echo a > $f; done; git add -A; git commit -qm migrations";

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Change(change) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    let whole = change.what != What::Written && is_folder(change.path);
    if !whole && !is_migration(change.path) || change.is_new {
        return Ok(Opinion::Silent);
    }
    if !acts(change) {
        return Opinion::passes("git puts back what it has");
    }
    let Some(repository) = Repository::seen_from(folder(change.path), case.variable) else {
        return Ok(Opinion::Silent);
    };
    let words: [&[u8]; 4] = [b"ls-files", b"-z", b"--", change.path];
    let listed = match repository.ask_plainly(case.git, &words) {
        Ok(listed) => listed,
        Err(Silence::Failed) => return Opinion::passes("it is in no repository"),
        Err(silence) => return Err(silence),
    };
    let mut names = listed
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty());
    let tracked = match whole {
        true => names.any(|name| is_migration(&[folder(change.path), b"/", name].concat())),
        false => names.next().is_some(),
    };
    if !tracked {
        return Opinion::passes("git does not track it yet");
    }
    let what = match change.what {
        What::Written => "changed",
        What::Removed => "removed",
        What::Moved => "renamed",
    };
    Ok(Opinion::Refuses(Finding {
        operation: "edit",
        about: change.path.to_vec(),
        reasons: vec![format!(
            "a migration that git tracks would be {what}: databases that have run it will not run it again"
        )],
        instead: "write a new migration that changes what this one made".to_owned(),
    }))
}

/// git itself changes files only to what it has; `rm` and `mv` are told apart by their acts.
fn acts(change: &Change<'_>) -> bool {
    match change.by {
        By::Program(b"git") => change.what != What::Written,
        By::Program(b"cp" | b"rsync" | b"tar" | b"unzip") => change.what == What::Written,
        _ => true,
    }
}

/// A folder of migrations itself.
fn is_folder(path: &[u8]) -> bool {
    path.ends_with(b"/migrations")
        || path.ends_with(b"/db/migrate")
        || path.ends_with(b"/alembic/versions")
}

/// Whether a path is that of a migration, as the usual tools name them.
pub(super) fn is_migration(path: &[u8]) -> bool {
    const CODE: &[&str] = &[
        "sql", "py", "rb", "php", "ts", "js", "mjs", "cjs", "go", "ex", "exs", "cs", "java", "kt",
        "xml", "yml", "yaml", "rs",
    ];
    let name = file_name(path);
    let ending = name.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    if !CODE.iter().any(|known| known.as_bytes() == ending) {
        return false;
    }
    let parts: Vec<&[u8]> = path.split(|byte| *byte == b'/').collect();
    let below = |names: &[&str]| {
        parts.iter().any(|part| {
            names
                .iter()
                .any(|name| part.eq_ignore_ascii_case(name.as_bytes()))
        })
    };
    let in_docs = below(&["docs", "doc", "node_modules", "vendor"]);
    !in_docs
        && (is_flyway(name)
            || below(&["migrations", "migration", "migrate"])
                && (has_order(name) || name == b"migration.sql")
            || path.windows(17).any(|part| part == b"alembic/versions/") && has_order(name)
            || below(&["versions"]) && below(&["migrations", "alembic"]) && has_order(name))
}

/// `V1__init.sql`
fn is_flyway(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(b"V").or_else(|| name.strip_prefix(b"U")) else {
        return false;
    };
    let digits = rest
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'_'))
        .count();
    rest.first().is_some_and(u8::is_ascii_digit)
        && rest[..digits].ends_with(b"__")
        && name.ends_with(b".sql")
}

/// A number, a date or a revision stands in front.
fn has_order(name: &[u8]) -> bool {
    let digits = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let revision = name
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let after = |count: usize| matches!(name.get(count), Some(b'_' | b'-' | b'.'));
    digits >= 3 && after(digits)
        || digits >= 1 && after(digits) && digits < 3
        || revision == 12 && after(revision)
        || name == b"migration.sql"
        || is_flyway(name)
}

#[cfg(test)]
mod tests {
    use super::is_migration;

    #[test]
    fn migrations_are_told_by_folder_and_name() {
        for (path, is_one) in [
            ("/p/db/migrate/20240102030405_add.rb", true),
            ("/p/app/migrations/0001_initial.py", true),
            ("/p/app/migrations/__init__.py", false),
            ("/p/prisma/migrations/20240101_init/migration.sql", true),
            ("/p/prisma/migrations/migration_lock.toml", false),
            ("/p/src/main/resources/db/V2__more.sql", true),
            ("/p/alembic/versions/1975ea83b712_users.py", true),
            ("/p/alembic/env.py", false),
            ("/p/docs/migrations/2024-guide.md", false),
            ("/p/src/migrations.rs", false),
            ("/p/src/versions/1_0.py", false),
            ("/p/Views/x.sql", false),
        ] {
            assert_eq!(is_migration(path.as_bytes()), is_one, "{path}");
        }
    }
}
