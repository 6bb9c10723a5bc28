"""Exports of annotation tools, evaluation harnesses and card sorts, in the order they are tried."""

from __future__ import annotations

from quorate.formats.alpacaeval import ALPACAEVAL
from quorate.formats.appraise import APPRAISE
from quorate.formats.arena import ARENA
from quorate.formats.argilla import ARGILLA
from quorate.formats.cardsort import CARDSORT
from quorate.formats.crowdkit import CROWDKIT
from quorate.formats.doccano import DOCCANO
from quorate.formats.helm import HELM
from quorate.formats.inspect_ai import INSPECT
from quorate.formats.labelstudio import LABELSTUDIO
from quorate.formats.lm_eval import LM_EVAL
from quorate.formats.mqm import MQM
from quorate.formats.mtbench import MTBENCH
from quorate.formats.mtme import MTME
from quorate.formats.mturk import MTURK
from quorate.formats.potato import POTATO
from quorate.formats.prodigy import PRODIGY
from quorate.formats.registry import Format

ANNOTATION: tuple[Format, ...] = (LABELSTUDIO, ARGILLA, PRODIGY, POTATO, MTURK, CROWDKIT)
EVALUATION: tuple[Format, ...] = (MTBENCH, ARENA, ALPACAEVAL, LM_EVAL, HELM, INSPECT, MQM, MTME, APPRAISE)
EXPORTS = (*ANNOTATION, *EVALUATION, CARDSORT, DOCCANO)  # the last knows its texts by the least
