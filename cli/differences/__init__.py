"""The reports of `ludex diff`: one telling, in several forms."""

from __future__ import annotations

from .at_hand import AtHand as AtHand
from .at_hand import at_hand as at_hand
from .markdown import to_markdown as to_markdown
from .names import names_of as names_of
from .page import to_page as to_page
from .positions import Picture as Picture
from .positions import log_text as log_text
from .positions import positions as positions
from .sarif import to_sarif as to_sarif
from .telling import Telling as Telling
from .text import to_text as to_text
