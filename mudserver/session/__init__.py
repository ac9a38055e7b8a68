"""THE CORRIDOR: one visit from greeting to goodbye.  The only glue, and it owns no verb."""
