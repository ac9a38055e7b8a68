"""The statements that decide who writes.

Rule 1: a batch holds the row of its server until it is committed, and every statement that gives a
        server another epoch changes that row.  So it waits for a batch under way, and a batch that
        comes later finds another epoch and writes nothing, wherever it lay meanwhile.
Rule 2: the owner of a table is a second fence, the primary key of a record a third.
Rule 3: no statement that decides who writes looks at the clock of a server.
Rule 4: positions of changes are epoch * 2^40 + n, counted by the one connection that writes.  For
        one writer a visible position means that all lower ones are visible.
Rule 5: rows of shared streams are locked in their order, so that no two servers wait in a circle.
        Nobody else waits for those of a table.
"""

from __future__ import annotations

from functools import lru_cache

POSITION_BITS = 40


@lru_cache(256)
def with_numbers(statement: str) -> str:
    """A statement of the index, with the placeholders of PostgreSQL in place of `?`."""
    first, *others = statement.split("?")
    return first + "".join(f"${n}{part}" for n, part in enumerate(others, 1))


# $1 server, $2 epoch, $3 to $8 the records, $9 the writer's last position.  `held` is false: the
# server was buried, and nothing is written.  `refused`: the streams of which nothing was written.
# There are mostly none, and then nothing is joined with `done`: these joins took half of the time.
# Each array more costs the client 3 to 5 % of its time, so the streams' ends are gathered here.
APPEND = """
with lease as materialized (
    select 1 as held from server where name = $1 and epoch = $2 for share
), given as materialized (
    select * from unnest($3::text[], $4::int[], $5::bigint[], $6::bytea[], $7::bytea[],
                         $8::boolean[]) as r(stream, sequence, at_ms, body, hash, closes)
), head as materialized (
    select stream, min(sequence) as first, max(sequence) as last,
           (array_agg(hash order by sequence desc))[1] as hash,
           max(at_ms) filter (where closes) as closed_ms, sum(length(body)) as bytes
    from given group by stream
), moved as (
    update stream s set last = h.last, hash = h.hash, is_closed = h.closed_ms is not null,
        bytes = s.bytes + h.bytes, closed_ms = h.closed_ms
    from (
        select h.* from head h cross join lease join stream s on s.stream = h.stream
        where s.last = h.first - 1 and not s.is_closed
            and (s.owner = $1 or s.owner is null and s.stream not like 'table/%')
        order by s.stream for update of s
    ) h
    where s.stream = h.stream
    returning s.stream
), made as (
    insert into stream (stream, last, hash, is_closed, closed_ms, owner, bytes)
    select h.stream, h.last, h.hash, h.closed_ms is not null, h.closed_ms,
           case when h.stream like 'table/%' then $1 end, h.bytes
    from head h cross join lease where h.first = 1 order by h.stream
    on conflict (stream) do nothing
    returning stream
), done as materialized (
    select stream from moved union all select stream from made
), whole as materialized (
    select count(*) = (select count(*) from head) as is_whole from done
), written as (
    insert into record (stream, sequence, at_ms, body, hash)
    select r.stream, r.sequence, r.at_ms, r.body, r.hash from given r
    where (select is_whole from whole) or r.stream in (select stream from done)
), changed as (
    insert into change (writer, position, stream, sequence)
    select $1, $9::bigint + row_number() over (order by h.stream), h.stream, h.last
    from head h where h.stream not like 'table/%'
        and ((select is_whole from whole) or h.stream in (select stream from done))
)
select (select held from lease) is not null as held,
       case when (select is_whole from whole) then '{}'
            else array(select stream from head where stream not in (select stream from done))
       end as refused"""

# The same for a batch that is nothing but plays: each record is of another table, which is there
# already, and closes none.  Most batches are; it takes two thirds of the time.  $3 the records, as
# rows of their table: asyncpg encodes them in less time than an array of each column.  The type
# needs its schema, for `record` alone is PostgreSQL's own.  Another column would stop the servers
# that run: what a later step adds to a record comes in a table beside it.
PLAYS = """
with lease as materialized (
    select 1 as held from server where name = $1 and epoch = $2 for share
), moved as (
    update stream s set last = r.sequence, hash = r.hash, bytes = s.bytes + length(r.body)
    from unnest($3::lockdown.record[]) r, lease
    where s.stream = r.stream and s.last = r.sequence - 1 and not s.is_closed and s.owner = $1
    returning r.stream, r.sequence, r.at_ms, r.body, r.hash
), written as (
    insert into record (stream, sequence, at_ms, body, hash) select * from moved
)
select (select held from lease) is not null as held,
       case when (select count(*) from moved) = cardinality($3) then '{}'
            else array(select stream from unnest($3) except select stream from moved)
       end as refused"""

# Why records do not fit behind their tables.  $1 server, $2 epoch, $3 the tables; it answers as
# APPEND.  Whoever has written there in the place of this server had buried it, or was given the
# table: that is committed, and seen here.
LOST = """
select exists (select from server where name = $1 and epoch = $2) as held,
       array(select stream from stream
             where stream = any($3::text[]) and owner is distinct from $1) as refused"""

# At the start.  $1 server, $2 instance, $3 host, $4 seconds of the lease.  No row: another host
# has the name, and its lease has not run out.
OPEN = """
with before as (select alive_ms from server where name = $1)
insert into server (name, instance, host, epoch, until)
values ($1, $2, $3, 1, clock_timestamp() + make_interval(secs => $4))
on conflict (name) do update set instance = excluded.instance, host = excluded.host,
    epoch = server.epoch + 1, until = excluded.until
where server.host = excluded.host or server.until < clock_timestamp()
returning epoch, (select alive_ms from before)"""

# After the writer has connected again, before anything else.  $1 server, $2 instance, $3 the last
# epoch, $4 seconds.  No row: buried.
RENEW = """
update server set epoch = greatest(epoch, $3) + 1,
    until = clock_timestamp() + make_interval(secs => $4)
where name = $1 and instance = $2 and until > '-infinity' returning epoch"""

# $1 server, $2 instance.  No row: buried.
NOT_BURIED = "select 1 from server where name = $1 and instance = $2 and until > '-infinity'"

# $1 server, $2 epoch, $3 seconds, $4 the server's clock.  No row: buried.
BEAT = """
update server set until = clock_timestamp() + make_interval(secs => $3), alive_ms = $4
where name = $1 and epoch = $2 returning epoch"""

# At an orderly end: the name is free at once.  $3: the server's clock; null: it was never alive.
LEAVE = """
update server set until = clock_timestamp(), alive_ms = coalesce($3, alive_ms)
where name = $1 and epoch = $2"""

# A server whose lease has run out writes no more.  No row: it lives, or somebody has done it.
BURY = """
update server set epoch = epoch + 1, until = '-infinity'
where name = $1 and until < clock_timestamp() and until > '-infinity' returning epoch"""

# Servers that others may take over from, if they have open tables.  $1 server, $2 seconds of the
# lease.  One that has ended in an orderly way is left alone for the time of a lease, too: `until`
# is when it ended, and then `alive_ms`, its own clock, is no older.
GONE = """
select name, alive_ms,
    (select count(*) from stream where owner = name and not is_closed) as tables,
    (select count(*) from server where until > clock_timestamp()) as alive,
    (select count(*) from server where until > clock_timestamp() and name < $1) as rank
from server
where name <> $1 and until < clock_timestamp()
    and least(until, to_timestamp(alive_ms / 1000.0))
        < clock_timestamp() - make_interval(secs => $2)
    and exists (select from stream where owner = name and not is_closed)"""

# Those that may write, and for how many seconds if they are not heard of any more.
LIVE = """
select name, extract(epoch from until - clock_timestamp())::float8 as lease_s
from server where until > clock_timestamp() order by name"""

# All that have ever been here.
ALL = """
select name, host, epoch,
    case when until > clock_timestamp()
         then extract(epoch from until - clock_timestamp())::float8 end as lease_s,
    alive_ms, (select count(*) from stream where owner = name and not is_closed) as tables
from server order by name"""

CLOCK = "select (extract(epoch from clock_timestamp()) * 1000)::bigint as at_ms"

# The live server to which an open table belongs.  $1 its stream.
SERVER_OF = """
select s.owner from stream s join server v on v.name = s.owner
where s.stream = $1 and not s.is_closed and v.until > clock_timestamp()"""

# $1 stream.
IS_OPEN = "select 1 as found from stream where stream = $1 and not is_closed"

# $1 kind, $2 key of a claim; one of a table that has closed is none.
OWNER_OF = """
select c.owner from claim c left join stream s on s.stream = c.owner
where c.kind = $1 and c.key = $2 and s.is_closed is not true"""

# $1 server, $2 epoch, $3 a buried server, of whose open tables are taken over: $4 at most, of $5
# parts the one of number $6.  Parts differ with each death: who inherits the part of one heir has
# not got all of it before.
CLAIM = """
with lease as materialized (
    select 1 from server where name = $1 and epoch = $2 for share
), gone as materialized (
    select name, epoch from server where name = $3 and until = '-infinity' for share
), pick as materialized (
    select s.stream from stream s join gone g on s.owner = g.name
    where not s.is_closed
        and ('x' || left(md5(s.stream || g.name || g.epoch), 6))::bit(24)::int % $5 = $6
    order by s.first limit $4 for update of s skip locked
)
update stream s set owner = $1 from pick p cross join lease where s.stream = p.stream
returning s.stream, s.last, s.hash"""

# $1 server, $2 epoch, $3 the server that has its open tables $4 from now on, if it lives.  It
# returns those that are that one's then: it may be carried out twice.
GIVE = """
with lease as materialized (
    select 1 from server where name = $1 and epoch = $2 for share
), heir as materialized (
    select 1 from server where name = $3 and until > clock_timestamp() for share
)
update stream s set owner = $3 from lease, heir
where s.stream = any($4::text[]) and not s.is_closed and s.owner in ($1, $3)
returning s.stream"""

# Open tables that belong to nobody, as after a move.  $1 server, $2 epoch.
ADOPT = """
with lease as materialized (select 1 from server where name = $1 and epoch = $2 for share)
update stream s set owner = $1 from lease
where s.owner is null and not s.is_closed and s.stream like 'table/%'
returning s.stream"""

# A transaction that changes anything else begins with it; it takes the row as APPEND does.
HELD = "select 1 from server where name = $1 and epoch = $2 for share"

# $1 kind, $2 how many, $3 the lowest that may be given.
NUMBERS = """
insert into counter values ($1, $3::bigint + $2)
on conflict (kind) do update set next = greatest(counter.next, $3) + $2 returning next - $2"""

RELEASE = """
delete from claim c using unnest($1::text[], $2::text[], $3::text[]) as r(kind, key, owner)
where c.kind = r.kind and c.key = r.key and c.owner = r.owner returning c.kind, c.key"""

# One's own is granted again, and that of a table that has closed since.  A claim without a row is
# somebody else's.
TAKE = """
insert into claim (kind, key, owner)
select distinct * from unnest($1::text[], $2::text[], $3::text[]) as c(kind, key, owner)
order by 1, 2
on conflict (kind, key) do update set owner = excluded.owner
where claim.owner = excluded.owner
    or exists (select from stream s where s.stream = claim.owner and s.is_closed)
returning kind, key"""

# $1 writers, $2 the last position read of each.  `is_behind`: some that come next are not kept.
FOLLOW = """
select s.name, c.position, c.stream, c.sequence, s.forgotten > coalesce(v.after, 0) as is_behind
from server s left join unnest($1::text[], $2::bigint[]) as v(writer, after) on v.writer = s.name
left join lateral (select position, stream, sequence from change
                   where writer = s.name and position > coalesce(v.after, 0)
                   order by position limit 1000) c on true
where c.position is not null or s.forgotten > coalesce(v.after, 0)
order by s.name, c.position"""

# Old changes of one writer.  $1 its name, $2 how many are kept, $3 for how many seconds all are,
# $4 how many are removed at once.  It returns how many were.
FORGET = """
with newest as (
    select position from change where writer = $1 order by position desc offset $2 limit 1
), old as (
    select c.position from change c, newest n
    where c.writer = $1 and c.position <= n.position and c.at < now() - make_interval(secs => $3)
    order by c.position limit $4
), gone as (
    delete from change where writer = $1 and position in (select position from old)
    returning position
), noted as (
    update server set forgotten = greatest(forgotten, (select max(position) from gone))
    where name = $1 and exists (select from gone)
)
select count(*) from gone"""
