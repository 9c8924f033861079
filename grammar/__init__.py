"""Text to tree and back: the Lark grammar, syntax nodes with places, diagnostics, the formatter."""

from __future__ import annotations

from . import syntax as syntax
from .codes import CODES as CODES
from .codes import FILE_CODES as FILE_CODES
from .codes import SYNTAX_CODES as SYNTAX_CODES
from .diagnostics import Code as Code
from .diagnostics import Diagnostic as Diagnostic
from .diagnostics import Diagnostics as Diagnostics
from .diagnostics import Failure as Failure
from .diagnostics import Note as Note
from .diagnostics import Severity as Severity
from .diagnostics import Why as Why
from .diagnostics import nearest as nearest
from .files import MAX_BYTES as MAX_BYTES
from .files import read_text as read_text
from .format import Row as Row
from .format import declaration_rows as declaration_rows
from .format import format_declaration as format_declaration
from .format import format_expression as format_expression
from .format import format_header as format_header
from .format import format_module as format_module
from .format import format_statement as format_statement
from .format import format_type as format_type
from .lexemes import Lexeme as Lexeme
from .lexemes import lexemes as lexemes
from .meaning import declared_functions as declared_functions
from .meaning import normal as normal
from .meaning import same_meaning as same_meaning
from .parser import Parsed as Parsed
from .parser import parse as parse
from .source import Span as Span
from .source import whole_file as whole_file
from .syntax import Authority as Authority
from .syntax import Citation as Citation
from .syntax import Comment as Comment
from .syntax import Declaration as Declaration
from .syntax import Expression as Expression
from .syntax import Header as Header
from .syntax import Module as Module
from .syntax import Node as Node
from .syntax import Reason as Reason
from .syntax import Statement as Statement
from .syntax import TypeExpression as TypeExpression
from .words import DECLARATION_WORDS as DECLARATION_WORDS
from .words import RESERVED_WORDS as RESERVED_WORDS
