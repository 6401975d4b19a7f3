"""Debian's source packages, by lists of their own: the machine's stay as they are."""
import glob, os, platform, re

from . import Absent, tool


def source(cache, package):
    """(directory, version) of the unpacked source of this release's package."""
    folder = os.path.join(cache, "sources")
    described = glob.glob(os.path.join(folder, f"{package}_*.dsc"))
    if not described:
        fetch(cache, folder, package)
        described = glob.glob(os.path.join(folder, f"{package}_*.dsc"))
    version = os.path.basename(described[0])[len(package) + 1:-len(".dsc")]
    return os.path.join(folder, f"{package}-{version.rsplit('-', 1)[0]}"), version


def fetch(cache, folder, package):
    try:
        release = platform.freedesktop_os_release()["VERSION_CODENAME"]
        lists = os.path.join(cache, "apt")
        entries = [entry for entry in machine() if "security" not in entry]
    except (OSError, KeyError) as error:
        raise Absent(f"no Debian: {error}")
    for below in "lists/partial", "archives/partial":
        os.makedirs(os.path.join(lists, below), exist_ok=True)
    os.makedirs(folder, exist_ok=True)
    own, settings = os.path.join(lists, "source.list"), os.path.join(lists, "apt.conf")
    with open(own, "w") as file:
        file.write("\n".join(entries) + "\n")
    with open(settings, "w") as file:
        file.write(f'Dir::Etc::SourceList "{own}";\nDir::Etc::SourceParts "/dev/null";\n'
                   f'Dir::State::Lists "{lists}/lists";\nDir::Cache "{lists}";\nAPT::Sandbox::User "root";\n')
    environment = {**os.environ, "APT_CONFIG": settings}
    if not os.path.exists(os.path.join(lists, "updated")):
        tool(["apt-get", "update", "-q"], env=environment)
        open(os.path.join(lists, "updated"), "w").close()
    tool(["apt-get", "source", "-q", f"{package}/{release}"], env=environment, cwd=folder)


def machine():
    """A deb-src line for each place that the machine has packages from."""
    for path in ["/etc/apt/sources.list", *glob.glob("/etc/apt/sources.list.d/*")]:
        if not path.endswith((".list", ".sources")) or not os.path.exists(path):
            continue
        with open(path) as file:
            text = file.read()
        if path.endswith(".list"):
            yield from ("deb-src" + line[3:] for line in text.splitlines() if line.startswith("deb "))
            continue
        for stanza in text.split("\n\n"):
            fields = dict(re.findall(r"^([\w-]+): *(.*)$", stanza, re.MULTILINE))
            if "URIs" not in fields:
                continue
            signed = f"[signed-by={fields['Signed-By']}] " if "Signed-By" in fields else ""
            for suite in fields["Suites"].split():
                yield f"deb-src {signed}{fields['URIs']} {suite} {fields.get('Components', '')}"
