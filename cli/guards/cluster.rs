//! `cluster-targets-are-explicit`: destructive verbs against whichever cluster happens to be current.

use super::{Check, Example, Finding, Guard, Look, Opinion, Tool};
use crate::case::{Case, Command, Subject};
use crate::git::{Line, Options, Silence};

pub(super) const GUARD: Guard = Guard {
    id: "cluster-targets-are-explicit",
    title: "a destructive verb of kubectl, oc or helm that names no cluster",
    prevents: "a kubectl delete namespace meant for staging: the current context was production",
    tools: &[Tool::Shell],
    check: Check::Looks(Look(check)),
    refused: &[
        Example::shell("kubectl delete namespace shop"),
        Example::shell("kubectl -n shop delete pods --all"),
        Example::shell("kubectl --namespace=shop delete -f k8s/"),
        Example::shell("kubectl drain node-1 --ignore-daemonsets"),
        Example::shell("kubectl replace --force -f pod.yaml"),
        Example::shell("kubectl apply --prune -l app=shop -f k8s/"),
        Example::shell("kubectl scale --replicas=0 deploy/shop"),
        Example::shell("kubectl delete pod x --dry-run=none"),
        Example::shell("oc delete project shop"),
        Example::shell("oc adm drain node-1"),
        Example::shell("helm uninstall shop"),
        Example::shell("helm -n shop delete shop"),
        Example::shell("helm rollback shop 3"),
        Example::shell("export KUBECTL=1; kubectl delete pvc data"),
    ],
    allowed: &[
        Example::shell("kubectl --context staging delete namespace shop"),
        Example::shell("kubectl delete namespace shop --context=staging"),
        Example::shell("KUBECONFIG=./kind.yaml kubectl delete pod x"),
        Example::shell("export KUBECONFIG=./kind.yaml; kubectl delete pod x"),
        Example::shell("kubectl --kubeconfig kind.yaml delete pod x"),
        Example::shell("kubectl config use-context kind-dev && kubectl delete pod x"),
        Example::shell("kubectl delete pod x --dry-run=client"),
        Example::shell("kubectl get pods -A"),
        Example::shell("kubectl logs delete"),
        Example::shell("kubectl config delete-context old"),
        Example::shell("kubectl apply -f k8s/"),
        Example::shell("kubectl scale --replicas=3 deploy/shop"),
        Example::shell("kubectl delete --help"),
        Example::shell("helm --kube-context staging uninstall shop"),
        Example::shell("helm upgrade --install shop ./chart"),
        Example::shell("helm uninstall shop --dry-run"),
        Example::shell("echo kubectl delete namespace shop"),
    ],
};

const OPTIONS: Options = Options {
    short: "n:s:v:f:l:o:c:hA",
    long: &[
        ("context=", b'C'),
        ("kube-context=", b'C'),
        ("cluster=", b'C'),
        ("server=", b'C'),
        ("kube-apiserver=", b'C'),
        ("kubeconfig=", b'C'),
        ("namespace=", b'n'),
        ("user=", b'u'),
        ("token=", b'u'),
        ("as=", b'u'),
        ("request-timeout=", b'u'),
        ("cache-dir=", b'u'),
        ("filename=", b'f'),
        ("selector=", b'l'),
        ("output=", b'o'),
        ("replicas=", b'r'),
        ("grace-period=", b'u'),
        ("timeout=", b'u'),
        ("registry-config=", b'u'),
        ("dry-run?", b'd'),
        ("prune", b'p'),
        ("force", b'F'),
        ("help", b'h'),
    ],
};

fn check(case: &Case<'_>) -> Result<Opinion, Silence> {
    let Subject::Command(command) = &case.subject else {
        return Ok(Opinion::Silent);
    };
    if !command.is_any(&["kubectl", "oc", "helm"]) {
        return Ok(Opinion::Silent);
    }
    let line = OPTIONS.read(&command.words());
    let words: Vec<&[u8]> = line
        .operands
        .iter()
        .map(|word| word.as_deref().unwrap_or_default())
        .collect();
    let Some(verb) = destructive(command, &words, &line) else {
        return Ok(Opinion::Silent);
    };
    if line.has(b'h') {
        return Ok(Opinion::Silent);
    }
    if line.has(b'd') && line.value(b'd').cloned().flatten().as_deref() != Some(b"none") {
        return Opinion::passes("it is a dry run");
    }
    let named = line.has(b'C')
        || ["KUBECONFIG", "HELM_KUBECONTEXT", "HELM_KUBEAPISERVER"]
            .iter()
            .any(|name| command.own_variable(name.as_bytes()).is_some())
        || command.follows(&["kubectl", "config", "use-context"]);
    if named {
        return Opinion::passes("the command names the cluster");
    }
    let option = if command.name == b"helm" {
        "--kube-context"
    } else {
        "--context"
    };
    let program = crate::message::escape(command.name);
    Ok(Opinion::Refuses(Finding {
        operation: "cluster",
        about: verb.into_bytes(),
        reasons: vec![
            "the cluster is whichever is current: the command does not say which".to_owned(),
        ],
        instead: format!(
            "look with `kubectl config current-context`, then name it: `{program} {option} NAME ...`"
        ),
    }))
}

/// The destructive verb, if it is one.
fn destructive(command: &Command<'_>, words: &[&[u8]], line: &Line) -> Option<String> {
    let verb = *words.first()?;
    let destroys = match (command.name, verb) {
        (b"helm", b"uninstall" | b"delete" | b"del" | b"un" | b"rollback") => true,
        (b"helm", _) => false,
        (_, b"delete" | b"drain") => true,
        (_, b"adm") => words.get(1) == Some(&&b"drain"[..]),
        (_, b"replace") => line.has(b'F'),
        (_, b"apply") => line.has(b'p'),
        (_, b"scale") => line.value(b'r').cloned().flatten().as_deref() == Some(b"0"),
        _ => false,
    };
    destroys.then(|| {
        format!(
            "{} {}",
            String::from_utf8_lossy(command.name),
            String::from_utf8_lossy(verb)
        )
    })
}
