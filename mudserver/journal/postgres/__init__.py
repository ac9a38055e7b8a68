"""The journal in PostgreSQL.  Only this package imports asyncpg, an optional dependency."""
