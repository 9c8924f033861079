"""Players of games for users: the engine, the protocol of all engines, the runner of examples."""
