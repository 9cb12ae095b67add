import pg from 'pg';

/**
 * Prints the sums of the money in the database that PGHOST, PGUSER and PGDATABASE name, as JSON. Exits 1 when sums that must agree do not.
 */
const SUMS = `select
  (select count(*) from transactions) as transactions,
  (select coalesce(sum(created_count), 0) from daily_totals) as "transactionsInTotals",
  (select coalesce(sum(amount_cents), 0) from transactions) as ordered,
  (select coalesce(sum(created_cents), 0) from daily_totals) as "orderedInTotals",
  (select coalesce(sum(amount_cents), 0) from transactions where status = 'paid') as paid,
  (select coalesce(sum(paid_cents), 0) from daily_method_totals) as "paidInTotals",
  (select count(*) from transactions where status = 'paid') as sales,
  (select count(*) from events where kind = 'payment.success') as announced,
  (select coalesce(sum(amount_cents), 0) from receipts) as received,
  (select coalesce(sum(amount_cents), 0) from refunds where state = 'done') as refunded`;

const AGREE = [
  ['transactions', 'transactionsInTotals'],
  ['ordered', 'orderedInTotals'],
  ['paid', 'paidInTotals'],
  ['sales', 'announced'],
];

const client = new pg.Client();
await client.connect();
const { rows } = await client.query(SUMS);
await client.end();
const sums = Object.fromEntries(Object.entries(rows[0]).map(([name, value]) => [name, Number(value)]));
process.stdout.write(`${JSON.stringify(sums)}\n`);
const wrong = AGREE.filter(([one, other]) => sums[one] !== sums[other]);
for (const [one, other] of wrong)
  process.stderr.write(`${one} (${sums[one]}) and ${other} (${sums[other]}) differ.\n`);
if (wrong.length > 0) process.exitCode = 1;
