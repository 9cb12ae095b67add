/**
 * What a user of pg-boss keeps beside its queue: the merchants' settings; a row for each attempt, whose outcome finds room
 * on its own page; events that wait for an earlier one of their transaction.
 */
export const TABLES = `
  create table merchants (
    id text primary key, webhook_url text, webhook_enabled boolean not null, webhook_secret text not null);
  create table attempts (
    job_id uuid, number integer, started_at timestamptz not null,
    duration_ms integer, status integer, error text, response text,
    primary key (job_id, number)) with (fillfactor = 50);
  create table waiting (
    transaction_id text, position integer, job jsonb not null, primary key (transaction_id, position))`;

const SETTINGS = `select id, webhook_url as url, webhook_enabled as enabled, webhook_secret as sealed from merchants`;

/** Of the merchants $1. */
export const READ_SETTINGS = `${SETTINGS} where id = any ($1)`;

/** Writes that attempts $2 of the jobs $1 begin at $3, and reads the settings of the merchants $4. */
export const BEGIN_ATTEMPTS = `
  with begun as (
    insert into attempts (job_id, number, started_at)
    select job_id, number, $3 from unnest($1::uuid[], $2::integer[]) as t (job_id, number))
  ${SETTINGS} where id = any ($4)`;

/** Whoever ends a transaction's delivery, or adds one, holds this: else one that is added meanwhile would wait for ever. */
export const LOCK_LANES = `
  select pg_advisory_xact_lock(lane)
  from (select hashtextextended(id, 0) as lane from unnest($1::text[]) as t (id) order by 1) as lanes`;

/** Writes the outcomes of attempts $2 of the jobs $1, and takes out what waited next in the transactions $7. */
export const END_ATTEMPTS = `
  with ended as (
    update attempts as a
    set duration_ms = o.duration_ms, status = o.status, error = o.error, response = o.response
    from unnest($1::uuid[], $2::integer[], $3::integer[], $4::integer[], $5::text[], $6::text[])
      as o (job_id, number, duration_ms, status, error, response)
    where a.job_id = o.job_id and a.number = o.number)
  delete from waiting as w
  where transaction_id = any ($7)
    and position = (select min(position) from waiting where transaction_id = w.transaction_id)
  returning job`;
