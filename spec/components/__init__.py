"""Component files: YAML tables of what is printed on a game's pieces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .component_codes import COMPONENT_CODES as COMPONENT_CODES
    from .data import ROW_ENTRIES as ROW_ENTRIES
    from .data import ComponentFile as ComponentFile
    from .data import ComponentTable as ComponentTable
    from .data import Fact as Fact
    from .data import RawCount as RawCount
    from .data import RawRow as RawRow
    from .data import RawTable as RawTable
    from .file_schema import component_schema as component_schema
    from .reader import check_documents as check_documents
    from .reader import check_tables as check_tables
    from .reader import load_components as load_components
    from .reader import read_components as read_components
    from .typed_tables import decode_table as decode_table
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
