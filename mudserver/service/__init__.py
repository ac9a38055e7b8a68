"""The facade of the rooms behind: what a visit may ask of lobby, tables and guest book."""
