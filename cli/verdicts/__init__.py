"""Writers of verdicts on logs, one module per format: text for people, and the formats of other programs."""
