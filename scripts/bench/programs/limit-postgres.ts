import pg from 'pg';
import { PAYMENTS_TABLE, parseOrder, type Row, serve } from './limit-http.ts';

/** The peer `limit` on the PostgreSQL database BENCH_DATABASE: one prepared insert per commit. */
const CONNECTIONS_MAX = 32;

const pool = new pg.Pool({ connectionString: process.env.BENCH_DATABASE, max: CONNECTIONS_MAX });
const INSERT = {
  name: 'insert',
  text: "insert into payments values ($1, $2, $3, 'pending', null, $4, $5, $6, $7)",
};
const SELECT = {
  name: 'select',
  text: 'select id, order_id, status, amount_cents from payments where id = $1',
};
// A failed statement ends the process, and the benchmark with it.
const fail = (error: unknown) => {
  throw error;
};
await pool.query(PAYMENTS_TABLE);

serve({
  insert(body, answer) {
    const order = parseOrder(body);
    pool.query({ ...INSERT, values: order.values }).then(() => answer(order.answer), fail);
  },
  read(id, answer) {
    pool.query<Row>({ ...SELECT, values: [id] }).then(({ rows }) => answer(rows[0]), fail);
  },
});
