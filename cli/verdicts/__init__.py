"""How is the verdict on logs written? A module a format: text for people, and the formats of other programs."""
