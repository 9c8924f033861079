"""The command line: click commands, output to terminal and files."""
