"""Pictures of what people see, made from the bytes that the house sends: `docs/pictures/`."""
