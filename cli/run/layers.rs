//! Which layers a run has.

use crate::args::Layer;

/// What was asked for, and what is had without asking.
pub(super) struct Layers {
    pub(super) command: bool,
    pub(super) libc: bool,
    pub(super) kernel: bool,
    /// Asked for by name. Otherwise it stands in for the kernel layer where that is wanted and not to be had.
    pub(super) landlock: bool,
    /// Nothing runs without the library.
    pub(super) needs_libc: bool,
    /// Nothing runs without the kernel layer: it was required, or nothing else would see what a program does.
    pub(super) needs_kernel: bool,
}

impl Layers {
    pub(super) fn of(chosen: &[Layer], required: &[Layer]) -> Self {
        let all = chosen.is_empty();
        let has = |layer| all || chosen.contains(&layer) || required.contains(&layer);
        let (libc, kernel) = (has(Layer::Libc), has(Layer::Kernel));
        let is_asked_for = chosen.contains(&Layer::Kernel);
        Self {
            command: has(Layer::Command),
            libc,
            // Where there is none, only who asks for it is to hear of that.
            kernel: kernel
                && (cfg!(target_os = "linux") || !all || required.contains(&Layer::Kernel)),
            landlock: chosen.contains(&Layer::Landlock) || required.contains(&Layer::Landlock),
            needs_libc: required.contains(&Layer::Libc) || chosen.contains(&Layer::Libc),
            needs_kernel: required.contains(&Layer::Kernel) || is_asked_for && !libc,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_had_or_nothing_runs() {
        for (chosen, required) in [
            (&[][..], &[Layer::Kernel][..]),
            (&[Layer::Kernel], &[]),
            (&[Layer::Command], &[Layer::Kernel]),
        ] {
            let layers = Layers::of(chosen, required);
            assert!(
                layers.kernel && layers.needs_kernel,
                "{chosen:?} {required:?}"
            );
        }
        let layers = Layers::of(&[Layer::Libc], &[]);
        assert!(!layers.kernel && !layers.needs_kernel && !layers.command);
        let layers = Layers::of(&[], &[]);
        assert_eq!(layers.kernel, cfg!(target_os = "linux"));
        assert!(!layers.needs_kernel && !layers.needs_libc && !layers.landlock);
        for (chosen, required) in [
            (&[][..], &[Layer::Landlock][..]),
            (&[Layer::Libc, Layer::Landlock], &[]),
        ] {
            let layers = Layers::of(chosen, required);
            assert!(layers.landlock && layers.libc && !layers.needs_kernel);
        }
    }
}
