"""Which command repeats a paper's table or figure on one's own data; a test holds every one to the documentation's."""

from __future__ import annotations

PROCEDURES: dict[str, tuple[tuple[str, str], ...]] = {
    "kappa": (
        ("Tables II and III", "quorate consensus judges.csv --candidates candidates.csv"),
        ("Table IV", "quorate consensus judges.csv --candidates candidates.csv --show surface"),
        (
            "Figure 3",
            'quorate consensus judges.csv --candidates candidates.csv --show curve --method "kappa(length=2)"',
        ),
        (
            "Table VI",
            'quorate compare one.csv two.csv --show surface --method "kappa(gamma=1|0.8|0.6|0.4, lam=1|0.8|0.6|0.4)"',
        ),
        ("Figure 4", 'quorate compare one.csv two.csv --show curve --method "kappa(length=1, gamma=1|0.9|0.8|0.7)"'),
        ("Figure 1", "quorate agreement judges.csv --show graph --out order.dot"),
        (
            "Figure 2",
            'quorate agreement judges.csv --show graph --method "kappa(gamma=0.9, lam=0.9)" --out weights.dot',
        ),
        ("Table V and Section V", "quorate compare one.csv two.csv --method kappa"),
    ),
    "q-support": (
        ("Example 1", 'quorate agreement judges.csv --method "support(q=0.67)" --method "support(q=3, part=items)"'),
        ("Figure 1", "quorate judges judges.csv --truth truth.csv --index rho"),
        (
            "Figure 2",
            'quorate compare one.csv two.csv three.csv --show curve --method "support(q=0.5|0.6|0.67|0.75|1.0)"',
        ),
        ("Figure 3", 'quorate compare one.csv two.csv three.csv --show curve --method "support(lam=1|0.75|0.5)"'),
        ("Table 1", 'quorate compare one.csv two.csv --method support --method "support(lam=0.5)"'),
        ("Table 2", 'quorate judges judges.csv --method "support_outliers(q=0.5, eps2=0.5)"'),
        (
            "Section 6.1, outliers deleted",
            'quorate agreement judges.csv --drop "support_outliers(q=0.5, lam=0.5, eps2=0.7)" '
            '--method "support(lam=0.5)"',
        ),
        (
            "Tables 3 and 4, Figures 6 and 7",
            'quorate agreement engines.csv --method "support(q=2, gamma=0.9, lam=0.9)"',
        ),
        (
            "Figures 4 and 5",
            'quorate agreement engines.csv --method "fagin_tau(penalty=0)" --method fagin_tau --method fagin_rho',
        ),
        (
            "Tables 5 and 6, Figure 8",
            "quorate agreement engines.csv --nested topic/query --among tasks "
            '--method "support(q=2, gamma=0.9, lam=0.9)"',
        ),
    ),
    "frespa": (
        ("Table 1", "quorate trust judges.csv --method discriminativeness"),
        ("Table 1, with noise", 'quorate trust judges.csv --method "noise(ratios=0|0.5|1, repeats=3)"'),
        ("Tables 2 to 4", 'quorate trust judges.csv --method "sweep(repeats=1)" --rows 35'),
    ),
    "clusters": (
        ("Table 1", "quorate sentences volcano_docs.jsonl set.csv --low 10 --high 14"),
        ("Table 2", "quorate judges volcano.csv"),
        ("Figure 1", "quorate trust volcano.csv --method sensitivity"),
        ("Table 3", "quorate agreement volcano.csv --method v_beta --method v_half --method nvi"),
    ),
    "assessors": (
        ("Table 1", "quorate judges judged.csv --method self_consistency"),
        ("Figure 1", "quorate pyramid auto tac/2009"),
        ("Table 2", 'quorate trust judged.csv --method "without_worst(by=alpha)"'),
        ("Tables 3 and 4", 'quorate trust judged.csv --metrics rouge.csv --method "metrics(by=alpha)" --rows 40'),
        ("Tables 3 and 4, mP-aP", 'quorate trust items.csv --metrics rouge.csv --method "metrics(by=gap)"'),
        ("Table 5", "quorate metric evaluate all.json new.json tac/2011"),
    ),
}
