import Sqlite from 'better-sqlite3';
import { PAYMENTS_TABLE, parseOrder, type Row, serve } from './limit-http.ts';

/** The peer `limit` on SQLite, in the file BENCH_DATABASE: all inits that arrive in one turn of the event loop share a commit. */
const db = new Sqlite(process.env.BENCH_DATABASE ?? '');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(PAYMENTS_TABLE);
const begin = db.prepare('begin immediate');
const commit = db.prepare('commit');
const insert = db.prepare("insert into payments values (?, ?, ?, 'pending', null, ?, ?, ?, ?)");
const select = db.prepare<[string], Row>(
  'select id, order_id, status, amount_cents from payments where id = ?',
);

interface Pending {
  readonly body: string;
  readonly answer: (value: unknown) => void;
}
let pending: Pending[] = [];

function commitAll(): void {
  const batch = pending;
  pending = [];
  begin.run();
  const answers = batch.map(({ body }) => {
    const { values, answer } = parseOrder(body);
    insert.run(...values);
    return answer;
  });
  commit.run();
  for (const [i, { answer }] of batch.entries()) answer(answers[i]);
}

serve({
  insert(body, answer) {
    pending.push({ body, answer });
    if (pending.length === 1) setImmediate(commitAll);
  },
  read: (id, answer) => answer(select.get(id)),
});
