"""What clauses say beyond their own form: as a whole, and with the game's own words put in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .forms import whole
from .helpers import Helpers, Values
from .names import Form
from .said import Said, Where, form_of, whole_form


@dataclass(frozen=True, slots=True)
class Meanings:
    """The clauses of some editions by edition and path, with what is known where each stands. Whole forms are made when
    they are asked for: most clauses need none."""

    clauses: Mapping[str, Mapping[str, tuple[Said, Where]]]
    helpers: Helpers
    _whole: dict[tuple[str, str], Form | None] = field(default_factory=dict)
    _unfolded: dict[tuple[str, str], Form] = field(default_factory=dict)

    def whole(self, edition: str, path: str) -> Form | None:
        """The form of a clause with all that is inside it; None of one that only holds others."""
        key = edition, path
        if key not in self._whole:
            clause, where = self.clauses[edition][path]
            self._whole[key] = whole_form(clause, self._where(where))
        return self._whole[key]

    def telling(self, edition: str, path: str) -> Form:
        """What a clause can be known by where it has another name: all that it holds."""
        clause, where = self.clauses[edition][path]
        if clause.kind == "term":
            return clause.form
        return self.whole(edition, path) or form_of(clause.node, whole(self._where(where).names))

    def unfolded(self, edition: str, path: str) -> Form:
        """The own form of a clause, with what the game file calls by a name put in."""
        key = edition, path
        if key not in self._unfolded:
            clause, where = self.clauses[edition][path]
            self._unfolded[key] = form_of(clause.node, self._where(where).names)
        return self._unfolded[key]

    def put_in(self, edition: str, path: str, values: Values) -> Form:
        """A clause with all that it holds, with more facts and defines put in."""
        clause, where = self.clauses[edition][path]
        where = self._where(where)
        where = replace(where, names=replace(where.names, helpers={**where.names.helpers, **values}))
        found = whole_form(clause, where)
        return form_of(clause.node, whole(where.names)) if found is None else found

    def _where(self, where: Where) -> Where:
        helpers = {**self.helpers.of_game, **where.names.helpers}
        return replace(where, names=replace(where.names, helpers=helpers))
