"""What people type and read: parsing, refusals, sentences, views as text."""
