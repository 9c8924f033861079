"""Files of a game as text: headers, clauses, authority, the apparatus."""
