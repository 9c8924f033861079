"""Text to tree and back: the Lark grammar, syntax nodes with places, diagnostics, the formatter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lazy import on_demand as on_demand
from .lazy import passed_on as passed_on

if TYPE_CHECKING:
    from . import syntax as syntax
    from .authority import Authority as Authority
    from .authority import Citation as Citation
    from .authority import Node as Node
    from .authority import Reason as Reason
    from .cache import cache_folder as cache_folder
    from .cache import code_digest as code_digest
    from .cache import keep as keep
    from .cache import kept as kept
    from .cache import prune as prune
    from .cache import rebuilt as rebuilt
    from .cache import recalled as recalled
    from .cache import used as used
    from .codes import CODES as CODES
    from .codes import FILE_CODES as FILE_CODES
    from .codes import FILE_TOO_LARGE as FILE_TOO_LARGE
    from .codes import MISSING_FILE as MISSING_FILE
    from .codes import SYNTAX_CODES as SYNTAX_CODES
    from .codes import UNREADABLE_FILE as UNREADABLE_FILE
    from .codes import UNWRITABLE_FILE as UNWRITABLE_FILE
    from .diagnostics import Code as Code
    from .diagnostics import Diagnostic as Diagnostic
    from .diagnostics import Diagnostics as Diagnostics
    from .diagnostics import Failure as Failure
    from .diagnostics import Note as Note
    from .diagnostics import Severity as Severity
    from .diagnostics import Why as Why
    from .diagnostics import nearest as nearest
    from .files import MAX_BYTES as MAX_BYTES
    from .files import decode as decode
    from .files import decode_text as decode_text
    from .files import is_there as is_there
    from .files import no_text as no_text
    from .files import not_utf8 as not_utf8
    from .files import read_bytes as read_bytes
    from .files import read_text as read_text
    from .format import Row as Row
    from .format import declaration_rows as declaration_rows
    from .format import format_declaration as format_declaration
    from .format import format_expression as format_expression
    from .format import format_header as format_header
    from .format import format_module as format_module
    from .format import format_statement as format_statement
    from .format import format_type as format_type
    from .lexing import Lexeme as Lexeme
    from .lexing import lexemes as lexemes
    from .meaning import declared_functions as declared_functions
    from .meaning import normal as normal
    from .meaning import same_meaning as same_meaning
    from .meaning import same_text as same_text
    from .packed import Packing as Packing
    from .parsed import Parsed as Parsed
    from .parsed import parse_kept as parse_kept
    from .parser import parse as parse
    from .source import Span as Span
    from .source import whole_file as whole_file
    from .syntax import Comment as Comment
    from .syntax import Declaration as Declaration
    from .syntax import Expression as Expression
    from .syntax import Header as Header
    from .syntax import Module as Module
    from .syntax import Statement as Statement
    from .syntax import TypeExpression as TypeExpression
    from .walk import fields_with as fields_with
    from .walk import mapped as mapped
    from .walk import nodes_in as nodes_in
    from .walk import words_in as words_in
    from .words import DECLARATION_WORDS as DECLARATION_WORDS
    from .words import RESERVED_WORDS as RESERVED_WORDS
    from .writing import check_writable as check_writable
    from .writing import write_text as write_text
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
