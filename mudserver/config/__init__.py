"""Settings: schema, defaults, ranges, sources, reload."""
