"""How is the verdict on logs written? One module per format: text for people, and the formats of other programs."""
