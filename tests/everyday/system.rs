//! The system's packages, below the preset that is for them, in a root that only looks like this one.

use super::work::Work;

pub(super) const ROWS: &[Work] = &[Work {
    name: "apt-get and dpkg",
    needs: &["apt-get", "dpkg-deb", "unshare", "chroot"],
    before: r#"mkdir -p ~/.config/blastradius up work merged && echo 'preset system-packages' > ~/.config/blastradius/config &&
            for version in 1 2; do
                mkdir -p "thing$version/DEBIAN" "thing$version/usr/bin" "thing$version/etc" "thing$version/usr/share/thing" &&
                printf 'Package: thing\nVersion: %s\nArchitecture: all\nMaintainer: dev <dev@example.com>\nDescription: a thing\n' "$version" > "thing$version/DEBIAN/control" &&
                echo /etc/thing.conf > "thing$version/DEBIAN/conffiles" && echo "setting $version" > "thing$version/etc/thing.conf" &&
                printf '#!/bin/sh\nset -e\nmkdir -p /var/lib/thing && echo "%s" > /var/lib/thing/state\n' "$version" > "thing$version/DEBIAN/postinst" &&
                printf '#!/bin/sh\nset -e\ntest "$1" != purge || rm -rf /var/lib/thing\n' > "thing$version/DEBIAN/postrm" &&
                printf '#!/bin/sh\necho thing %s\n' "$version" > "thing$version/usr/bin/thing" && echo "$version" > "thing$version/usr/share/thing/$version" &&
                chmod 755 "thing$version/usr/bin/thing" "thing$version/DEBIAN/postinst" "thing$version/DEBIAN/postrm" &&
                dpkg-deb --root-owner-group --build "thing$version" "thing$version.deb" > /dev/null && rm -r "thing$version" || exit 1
            done
            cat > inside.sh <<'EOF'
export DEBIAN_FRONTEND=noninteractive APT_CONFIG=/tmp/apt.conf
mkdir -p /tmp/lists/partial && echo 'Dir::State::Lists "/tmp/lists"; Dir::Etc::SourceList "/dev/null"; Dir::Etc::SourceParts "/dev/null";' > /tmp/apt.conf
echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/unsafe-io
install() { apt-get -qq install -y --no-install-recommends "$@" > /tmp/said 2>&1; echo "$?"; grep -E '^E:|blastradius' /tmp/said; }
install /tmp/thing1.deb && thing && cat /etc/thing.conf
install /tmp/thing2.deb && thing && cat /etc/thing.conf /var/lib/thing/state && ls /usr/share/thing
install --reinstall --allow-downgrades /tmp/thing1.deb && thing
apt-get -qq remove -y thing > /tmp/said 2>&1; echo $?; grep -E '^E:|blastradius' /tmp/said; ls /etc/thing.conf
dpkg -i /tmp/thing2.deb > /tmp/said 2>&1; echo $?; dpkg --purge thing > /tmp/said 2>&1; echo $?
apt-get clean; echo $?; dpkg --audit; ls /etc/thing.conf /var/lib/thing /usr/bin/thing 2>&1
update-alternatives --quiet --install /usr/bin/thing thing /bin/true 1; update-alternatives --quiet --remove thing /bin/true; ldconfig; echo $?
EOF
            test "$(id -u)" = 0"#,
    script: r#"unshare -m sh -ec '
                mount --make-rprivate / && mount -t overlay overlay -o "lowerdir=/,upperdir=$PWD/up,workdir=$PWD/work" merged
                mount -t tmpfs none merged/tmp && mount --rbind /dev merged/dev && mount -t proc none merged/proc && cp inside.sh thing?.deb merged/tmp
                exec chroot merged sh /tmp/inside.sh'; echo $?; rm -rf work thing?.deb"#,
}];
