"""Types and values of the language, their JSON form and JSON Schema."""
