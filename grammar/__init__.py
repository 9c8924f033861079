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
    from .codes import CODES as CODES
    from .codes import FILE_CODES as FILE_CODES
    from .codes import FILE_TOO_LARGE as FILE_TOO_LARGE
    from .codes import MISSING_FILE as MISSING_FILE
    from .codes import SYNTAX_CODES as SYNTAX_CODES
    from .codes import UNREADABLE_FILE as UNREADABLE_FILE
    from .codes import UNWRITABLE_FILE as UNWRITABLE_FILE
    from .codes import YAML_CODES as YAML_CODES
    from .codes import YAML_TOO_LARGE as YAML_TOO_LARGE
    from .diagnostics import Code as Code
    from .diagnostics import Diagnostic as Diagnostic
    from .diagnostics import Diagnostics as Diagnostics
    from .diagnostics import Failure as Failure
    from .diagnostics import Note as Note
    from .diagnostics import Severity as Severity
    from .diagnostics import Why as Why
    from .diagnostics import did_you_mean as did_you_mean
    from .diagnostics import nearest as nearest
    from .diagnostics import or_meant as or_meant
    from .diagnostics import shown_text as shown_text
    from .diagnostics import suggested as suggested
    from .files import yaml_tree as yaml_tree
    from .files.cache import cache_folder as cache_folder
    from .files.cache import code_digest as code_digest
    from .files.cache import keep as keep
    from .files.cache import kept as kept
    from .files.cache import prune as prune
    from .files.cache import rebuilt as rebuilt
    from .files.cache import recalled as recalled
    from .files.cache import used as used
    from .files.json_pointer import Json as Json
    from .files.json_pointer import at_pointer as at_pointer
    from .files.json_pointer import escaped as escaped
    from .files.json_pointer import unescaped as unescaped
    from .files.packing import Packing as Packing
    from .files.reading import MAX_BYTES as MAX_BYTES
    from .files.reading import decode as decode
    from .files.reading import decode_text as decode_text
    from .files.reading import is_there as is_there
    from .files.reading import no_text as no_text
    from .files.reading import not_utf8 as not_utf8
    from .files.reading import open_bytes as open_bytes
    from .files.reading import read_bytes as read_bytes
    from .files.reading import read_text as read_text
    from .files.reading import reading_once as reading_once
    from .files.reading import unreadable as unreadable
    from .files.writing import check_writable as check_writable
    from .files.writing import write_new_text as write_new_text
    from .files.writing import write_text as write_text
    from .formatter.formatting import Row as Row
    from .formatter.formatting import declaration_rows as declaration_rows
    from .formatter.formatting import format_declaration as format_declaration
    from .formatter.formatting import format_expression as format_expression
    from .formatter.formatting import format_header as format_header
    from .formatter.formatting import format_module as format_module
    from .formatter.formatting import format_statement as format_statement
    from .formatter.formatting import format_type as format_type
    from .garbage import seldom_collecting as seldom_collecting
    from .lexer.words import DECLARATION_WORDS as DECLARATION_WORDS
    from .lexer.words import RESERVED_WORDS as RESERVED_WORDS
    from .messages.catalogue import languages as languages
    from .messages.catalogue import runs_right_to_left as runs_right_to_left
    from .messages.catalogue import words_of_code as words_of_code
    from .messages.message import Argument as Argument
    from .messages.message import Message as Message
    from .messages.message import Word as Word
    from .messages.message import enumerated as enumerated
    from .messages.message import in_language as in_language
    from .normal_form import declared_functions as declared_functions
    from .normal_form import normal as normal
    from .normal_form import same_meaning as same_meaning
    from .normal_form import same_text as same_text
    from .parser.kept_trees import parse_kept as parse_kept
    from .parser.lexemes import lexemes as lexemes
    from .parser.parsed import Parsed as Parsed
    from .parser.parsing import parse as parse
    from .source import Identifier as Identifier
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
    from .walk import without_identifiers as without_identifiers
    from .walk import words_in as words_in
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
