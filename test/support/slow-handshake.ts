import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

/** Forwards connections to a port once `accepting` is set; until then the system drops all but the first few handshakes. */
const LISTENER = `
  const { connect, createServer } = require('node:net');
  const { parentPort, workerData } = require('node:worker_threads');
  const server = createServer((inside) => {
    const outside = connect(workerData.target, '127.0.0.1');
    inside.on('error', () => {}).pipe(outside.on('error', () => {})).pipe(inside);
  });
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(workerData.accepting, 0, 0);
  });
`;

/** Starts a way to `target` on which the next handshake loses its first packet, and so takes a second. */
export async function startSlowHandshake(target: number): Promise<number> {
  const accepting = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(LISTENER, { eval: true, workerData: { target, accepting } });
  const [port] = await once(worker, 'message');
  const fillers = Array.from({ length: 4 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy();
    await worker.terminate();
  });
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
  setTimeout(() => {
    Atomics.store(accepting, 0, 1);
    Atomics.notify(accepting, 0);
  }, 300);
  return port;
}
