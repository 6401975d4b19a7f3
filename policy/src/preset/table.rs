//! The lines of every preset as data, each with its reason: which program needs it, and what would be lost at worst.
//! `tests/everyday` runs the programs.

use super::{Leave, Place, Preset, tag};
use crate::packed::{Packed, packed_rows};

const CACHE: u8 = tag(Preset::Caches, Place::Home, Leave::Anything);
/// A person's work among caches.
const WORK: u8 = tag(Preset::Caches, Place::Home, Leave::Rewrite);
const SYSTEM_CACHE: u8 = tag(Preset::Caches, Place::Root, Leave::Anything);
const RUNTIME: u8 = tag(Preset::Caches, Place::Runtime, Leave::Anything);
const USER_RUNTIME: u8 = tag(Preset::Caches, Place::UserRuntime, Leave::Anything);
const AGENT: u8 = tag(Preset::Agents, Place::Home, Leave::Anything);
/// Beside a setting: locks, and old contents that are still there under the setting's own name.
const BESIDE: u8 = tag(Preset::Settings, Place::Home, Leave::Anything);
/// What its program writes anew and renames over the old.
const REPLACED: u8 = tag(Preset::Settings, Place::Home, Leave::Replace);
const SETTING: u8 = tag(Preset::Settings, Place::Home, Leave::Rewrite);
const TOOL: u8 = tag(Preset::Tools, Place::Home, Leave::Anything);
const TOOL_SETTING: u8 = tag(Preset::Tools, Place::Home, Leave::Rewrite);
const SHARED_TOOL: u8 = tag(Preset::Tools, Place::Home, Leave::Reinstall);
const SYSTEM: u8 = tag(Preset::SystemPackages, Place::Root, Leave::Anything);

/// What judges: the rows without their reasons.
pub(super) const LINES: Packed = packed_rows!(ROWS);

type Row = (u8, &'static str, &'static str);

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    (CACHE, "~/.cache/**", "most programs (pip, go, uv, ccache, yarn): made again when it is missing"),
    (CACHE, "~/Library/Caches/**", "most programs on macOS: made again when it is missing"),
    (CACHE, "~/.npm/**", "npm and npx keep downloads and logs, and remove old ones: downloaded again"),
    (CACHE, "~/.node-gyp/**", "node-gyp replaces headers of node: downloaded again"),
    (CACHE, "~/.pnpm-store/**", "pnpm prunes its store: downloaded again"),
    (CACHE, "~/.yarn/berry/cache/**", "yarn clears its cache: downloaded again"),
    (SYSTEM_CACHE, "/usr/local/share/.cache/yarn/**", "yarn 1 has its cache there when it is root: downloaded again"),
    (CACHE, "~/.bun/install/cache/**", "bun replaces packages: downloaded again"),
    (CACHE, "~/.cargo/registry/**", "cargo unpacks and removes crates: downloaded again"),
    (CACHE, "~/.cargo/git/**", "cargo rewrites its clones: fetched again"),
    (CACHE, "~/.cargo/.*", "cargo's lock files, its database of uses, the list of what it has installed"),
    (CACHE, "~/.rustup/tmp/**", "rustup's half-made downloads"),
    (CACHE, "~/.rustup/downloads/**", "rustup's downloads, removed once they are installed"),
    (CACHE, "~/go/pkg/**", "go's modules and their locks, `go clean -modcache`: downloaded again"),
    (CACHE, "~/.gradle/caches/**", "gradle rewrites its journal and locks: downloaded or made again"),
    (CACHE, "~/.gradle/daemon/**", "gradle's registry and logs of daemons"),
    (CACHE, "~/.m2/repository/**", "maven renames what it has downloaded, and its lists: downloaded again"),
    (CACHE, "~/.nuget/packages/**", "nuget replaces packages: downloaded again"),
    (CACHE, "~/.kube/cache/**", "kubectl replaces what it knows of a cluster: asked for anew"),
    (CACHE, "~/.ccache/**", "ccache removes old results: compiled again"),
    (WORK, "~/.local/state/*/swap/**", "nvim and vim save unsaved text there: what is older than the session stays"),
    (CACHE, "~/.local/state/**", "what programs note of their last use: vim's and less's kind, by the XDG rules"),
    (CACHE, "~/.local/share/nvim/shada/**", "nvim before 0.8 replaces its marks and histories there: those are lost"),
    (CACHE, "~/.local/share/nvim/undo/**", "nvim before 0.8 removes an undo file before it writes one: old undo steps"),
    (CACHE, "~/.vim/undo*/**", "vim removes an undo file before it writes one: old undo steps"),
    (CACHE, "~/.vim/backup*/**", "vim removes the backup of the save before: a text before its last change"),
    (CACHE, "~/.local/share/fish/generated_completions/**", "fish makes them anew from the manual pages"),
    (CACHE, "~/.zcompdump*", "zsh replaces its list of completions: made again at the next start"),
    (CACHE, "~/.zsh_sessions/**", "zsh on macOS removes the sessions of closed windows"),
    // What lives no longer than a session.
    (SYSTEM_CACHE, "/dev/shm/**", "POSIX shared memory and semaphores: gone with the next start"),
    (SYSTEM_CACHE, "/proc/self/**", "a process writes its own oom_score_adj, uid_map and the like: nothing is stored"),
    (SYSTEM_CACHE, "/run/mount/**", "mount and umount rewrite their table: gone with the next start"),
    (RUNTIME, "$XDG_RUNTIME_DIR/**", "sockets and locks of a login (gpg-agent, podman, wayland): gone with it"),
    (USER_RUNTIME, "/run/user/UID/**", "the same, where the variable is not set"),
    // The agents' own.
    (AGENT, "~/.claude*", "Claude Code rewrites settings and removes old sessions: transcripts and settings"),
    (AGENT, "~/.local/share/claude/**", "Claude Code replaces its own versions: downloaded again"),
    (AGENT, "~/.codex/**", "Codex rewrites settings, histories and sessions"),
    (AGENT, "~/.gemini/**", "Gemini CLI rewrites settings, histories and sessions"),
    (AGENT, "~/.cursor/**", "Cursor rewrites settings, histories and sessions"),
    (AGENT, "~/.copilot/**", "Copilot CLI rewrites settings, histories and sessions"),
    (AGENT, "~/.config/opencode/**", "opencode rewrites settings and installs plugins"),
    (AGENT, "~/.local/share/opencode/**", "opencode rewrites sessions and snapshots"),
    (AGENT, "~/.config/goose/**", "goose rewrites settings"),
    (AGENT, "~/.local/share/goose/**", "goose rewrites sessions and their database"),
    (AGENT, "~/.aider*", "aider rewrites its caches, histories and settings"),
    (AGENT, "~/.qwen/**", "Qwen Code rewrites settings, histories and sessions"),
    // Small files that a program rewrites on its own or on a person's word, and nobody removes. Near them what
    // is beside: a lock of a run that died, where file systems know no time of birth. Not here: the keys of clouds and
    // clusters, which their tools empty before they write (`~/.aws/credentials`, `~/.kube/config`).
    (REPLACED, "~/.gitconfig", "`git config --global` replaces it: the setting that was"),
    (BESIDE, "~/.gitconfig.lock", "the lock of `git config`: nothing"),
    (REPLACED, "~/.config/git/config", "`git config --global` where that file exists: the setting that was"),
    (REPLACED, "~/.git-credentials", "git's credential store replaces it: a password that was refused"),
    (BESIDE, "~/.git-credentials.lock", "the lock of git's credential store: nothing"),
    (REPLACED, "~/.config/git/credentials", "the credential store where that file exists: a password that was refused"),
    (BESIDE, "~/.config/git/*.lock", "locks of the two above: nothing"),
    (SETTING, "~/.npmrc", "`npm config set` and `npm login` write it over: settings, tokens of registries, to be had anew"),
    (SETTING, "~/.yarnrc*", "`yarn config set` writes it over: the setting that was"),
    (SETTING, "~/.config/pnpm/rc", "`pnpm config set` writes it over: the setting that was"),
    (SETTING, "~/.cargo/credentials.toml", "`cargo login` and `logout` write it over: tokens of registries, to be had anew"),
    (SETTING, "~/.config/pip/pip.conf", "`pip config set` writes it over: the setting that was"),
    (SETTING, "~/.config/go/env", "`go env -w` writes it over: the setting that was"),
    (SETTING, "~/.config/pypoetry/*.toml", "`poetry config` writes them over: settings, and tokens that can be had anew"),
    (SETTING, "~/.aws/config", "`aws configure` writes it over: the setting that was"),
    (SETTING, "~/.config/gh/*.yml", "`gh config`, `alias`, `auth` write them over: settings, and tokens that a login brings anew"),
    (REPLACED, "~/.ssh/known_hosts", "`ssh-keygen -R` replaces it, ssh updates keys: hosts are asked for anew"),
    (BESIDE, "~/.ssh/known_hosts.old", "`ssh-keygen -R` keeps the file before there, and removes an older one"),
    (SETTING, "~/.gnupg/trustdb.gpg", "gpg writes its database over: trust that was given"),
    (SETTING, "~/.gnupg/pubring.kbx", "gpg moves it to pubring.kbx~ and puts a new one there: public keys"),
    (SETTING, "~/.gnupg/tofu.db", "gpg writes its database over: what was seen of signatures"),
    (REPLACED, "~/.gnupg/pubring.kbx~", "gpg keeps the keys before the last change there: those"),
    (BESIDE, "~/.gnupg/random_seed", "gpg writes it over at each end: nothing"),
    (BESIDE, "~/.gnupg/*.lock", "locks of gpg that outlive a crash: nothing"),
    (BESIDE, "~/.gnupg/.#*", "what gpg makes its locks of: nothing"),
    (BESIDE, "~/.gnupg/S.*", "gpg-agent's sockets: made anew at its next start"),
    (BESIDE, "~/.config/**/Crash Reports/**", "Chromium, Firefox and Electron write over their notes on crashes: those"),
    (BESIDE, "~/.mozilla/firefox/Crash Reports/**", "the same, of Firefox before 147: notes on crashes"),
    (SETTING, "~/.bash_history*", "bash shortens or rewrites it at its end: old commands"),
    (BESIDE, "~/.zsh_history.LOCK", "a lock of zsh, which it removes when it is old: nothing"),
    (SETTING, "~/.zsh_history*", "zsh replaces it at its end: old commands"),
    (SETTING, "~/.local/share/fish/fish_history*", "fish replaces it: old commands"),
    (SETTING, "~/.config/fish/fish_variables", "fish replaces it when a universal variable is set: the value before"),
    (SETTING, "~/.python_history*", "Python replaces it at its end: old lines"),
    (SETTING, "~/.ipython/profile_default/history.sqlite*", "IPython writes its database over: old lines"),
    (SETTING, "~/.node_repl_history*", "node writes it over: old lines"),
    (SETTING, "~/.irb_history*", "irb writes it over: old lines"),
    (SETTING, "~/.sqlite_history*", "sqlite3 writes it over: old lines"),
    (SETTING, "~/.psql_history*", "psql writes it over: old lines"),
    (SETTING, "~/.mysql_history*", "mysql writes it over: old lines"),
    (SETTING, "~/.lesshst*", "less replaces it: old searches"),
    (BESIDE, "~/.viminfo*", "vim removes it before it puts a new one there: old searches, marks and registers"),
    (SETTING, "~/.wget-hsts*", "wget writes it over: hosts that are asked for anew"),
    (SETTING, "~/.emacs.d/history", "emacs's savehist: old searches and commands"),
    (SETTING, "~/.emacs.d/places", "emacs's save-place: where the cursor was"),
    (SETTING, "~/.emacs.d/recentf", "emacs's list of files that were open"),
    (SETTING, "~/.emacs.d/bookmarks*", "emacs moves it to bookmarks~ and writes a new one: bookmarks"),
    // What package managers of a user install. A person has nothing of his own there, except among the programs
    // of ~/.local/bin.
    (TOOL, "~/.cargo/bin/*", "`cargo install --force`, `uninstall`, rustup: programs, installed again"),
    (TOOL, "~/go/bin/*", "`go install` replaces programs: installed again"),
    (TOOL, "~/.local/lib/python*/site-packages/**", "`pip install --user` replaces packages: installed again"),
    (TOOL, "~/.local/pipx/**", "pipx replaces programs and its logs: installed again"),
    (TOOL, "~/.local/share/pipx/**", "the same, where newer versions of pipx have it"),
    (TOOL, "~/.local/share/uv/**", "`uv tool` and `uv python` replace programs: installed again"),
    (TOOL, "~/.local/share/virtualenvs/**", "`pipenv --rm` removes environments: made again"),
    (TOOL, "~/.local/share/pnpm/**", "pnpm's store and what it installs for a user: installed again"),
    (TOOL, "~/.npm-global/**", "`npm install -g` in the prefix that npm's manual names: installed again"),
    (TOOL, "~/.local/lib/node_modules/**", "`npm install -g` with the prefix ~/.local: installed again"),
    (TOOL, "~/.nvm/versions/node/*/*/**", "`npm install -g` below nvm: installed again"),
    (TOOL, "~/.local/share/gem/**", "`gem install --user-install` replaces packages: installed again"),
    (TOOL, "~/.rustup/toolchains/**", "`rustup update` replaces toolchains: installed again"),
    (TOOL, "~/.rustup/update-hashes/*", "rustup's notes on toolchains: written anew"),
    (TOOL_SETTING, "~/.rustup/settings.toml", "rustup writes it over: the setting that was"),
    (SHARED_TOOL, "~/.local/bin/**", "pip, pipx, uv, npm, Claude Code replace programs, remove links: a script of that name, any link"),
    (TOOL, "~/.local/~*/**", "pip moves there what it is about to remove: nothing that was to stay"),
    (SYSTEM, "/usr/**", "apt-get, dpkg, dnf: the system's programs, installed again"),
    (SYSTEM, "/etc/**", "apt-get, dpkg, dnf: the system's configuration"),
    (SYSTEM, "/var/**", "apt-get, dpkg, dnf: lists, caches and the database of what is installed"),
];
