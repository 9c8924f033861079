"""Pretty-printer for the canonical layout (`ludex fmt`)."""
