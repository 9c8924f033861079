"""Output of diagnostics and texts to a terminal, a file or a pipe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.grammar import on_demand

if TYPE_CHECKING:
    from .cited_lines import Books as Books
    from .cited_lines import books_in as books_in
    from .code_pages import CODE_GROUPS as CODE_GROUPS
    from .code_pages import CodePage as CodePage
    from .code_pages import code_of as code_of
    from .code_pages import code_samples as code_samples
    from .code_pages import english_page as english_page
    from .code_pages import fenced as fenced
    from .code_pages import indented as indented
    from .code_pages import severity_of as severity_of
    from .diagnostics import Reporter as Reporter
    from .diagnostics import counts as counts
    from .diagnostics import diagnostic_json as diagnostic_json
    from .diagnostics import file_called as file_called
    from .diagnostics import file_words as file_words
    from .diagnostics import json_text as json_text
    from .diagnostics import labelled as labelled
    from .diagnostics import place as place
    from .diagnostics import plural as plural
    from .diagnostics import progress as progress
    from .diagnostics import summary as summary
    from .diagnostics import table as table
    from .diagnostics import width as width
    from .exit_codes import Exit as Exit
    from .exit_codes import exit_of as exit_of
    from .installed_version import version as version
    from .judging_bar import beside_bar as beside_bar
    from .judging_bar import judging_progress as judging_progress
    from .output_files import demand_writable as demand_writable
    from .output_files import is_folder as is_folder
    from .output_files import make_folder as make_folder
    from .output_files import write_file as write_file
    from .output_files import write_new_files as write_new_files
    from .output_language import language as language
    from .output_language import speak as speak
    from .output_language import translated as translated
    from .output_language import use_language as use_language
    from .output_language import words as words
    from .source_excerpts import Texts as Texts
    from .source_excerpts import broken as broken
    from .source_excerpts import cells as cells
    from .source_excerpts import escape as escape
    from .source_excerpts import isolated as isolated
    from .source_excerpts import isolated_words as isolated_words
    from .source_excerpts import no_formula as no_formula
    from .source_excerpts import padded as padded
    from .source_excerpts import visible as visible
    from .source_excerpts import without_directions as without_directions
    from .terminal import ask as ask
    from .terminal import printable as printable
    from .terminal import put as put
    from .terminal import put_printable as put_printable
    from .terminal import say as say
    from .terminal import style as style
    from .terminal import terminal_text as terminal_text
    from .terminal import unstyled as unstyled
    from .usage_errors import wrong_usage as wrong_usage
    from .waiting import patiently as patiently
    from .waiting import with_waiting_times as with_waiting_times
else:
    __getattr__, __dir__ = on_demand(__name__, __file__)
