"""What a person sees: click commands, terminal and file reports."""
