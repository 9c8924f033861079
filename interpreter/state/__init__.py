"""Contents of a state (cells, zones, unknown pieces), and what an engine takes and returns (events, refusals)."""
