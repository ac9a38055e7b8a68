"""Pictures of what people see, made from the bytes that the server sends: `docs/pictures/`."""
