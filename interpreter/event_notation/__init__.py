"""The short notation of events: written, and read with the place of every part."""
