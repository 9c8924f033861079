"""How is the verdict on logs told? A form a module: text for people, and the formats of other programs."""
