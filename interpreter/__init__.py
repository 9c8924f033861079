"""What a spec does: states, flow, chance, legal moves, observation, replay of logs, playouts."""
