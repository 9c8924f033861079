"""Random play and what it shows: playouts, audits, perft."""
