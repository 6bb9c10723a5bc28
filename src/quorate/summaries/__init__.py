"""Evaluation of summaries: content units (``units``), ROUGE (``rouge``), metrics fitted to judges (``trained``).

What functions here give is listed, framed, drawn and shown alike; systems are ordered by one :mod:`leaderboard`.

>>> from quorate.summaries.rouge import rouge
>>> [row["ROUGE-1_R"] for row in rouge(["a dam broke"], [["the dam broke"]], ["1"])]
[0.6666666666666666]
"""
