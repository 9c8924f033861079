"""Ludex: board game rulebooks as data that a machine can referee."""
