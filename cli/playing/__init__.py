"""Play at the terminal (`ludex play`): dialogue, menus, sessions."""
