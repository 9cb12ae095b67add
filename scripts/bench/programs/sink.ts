import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { systemNow } from '../system-now.ts';

/**
 * The merchant's endpoint, over TLS: answers every POST at once, keeps it, and verifies what it kept only when it is asked,
 * so that the measured time is the sender's. Speaks HTTP by hand: a full server would be slower than the senders.
 */
interface Kept {
  readonly head: string;
  readonly body: string;
  /** When its first byte came, wall clock in milliseconds. */
  readonly at: number;
}

export type SinkQuestion = { ask: 'count' } | { ask: 'take'; secret: string };

/** What came since the last time, in the order of its coming. */
export interface Arrivals {
  readonly deliveryIds: string[];
  /** The transactions that the bodies speak of. */
  readonly transactionIds: string[];
  readonly at: number[];
  /** How many signatures do not fit. */
  readonly wrong: number;
}

const HEAD_END = '\r\n\r\n';
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let kept: Kept[] = [];

function serve(socket: TLSSocket): void {
  let received = '';
  let firstAt = 0;
  socket.setNoDelay(true);
  // One character per byte: the length of the text is the length that the header counts.
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    if (received === '') firstAt = systemNow();
    received += chunk;
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.slice(0, headEnd);
    const bodyStart = headEnd + HEAD_END.length;
    const total = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1]);
    // A sender waits for its answer: never more than one request on a connection.
    if (received.length < total) return;
    kept.push({ head, body: received.slice(bodyStart), at: firstAt });
    received = '';
    socket.write(ANSWER);
  });
}

function take(secret: string): Arrivals {
  const arrivals: Arrivals = { deliveryIds: [], transactionIds: [], at: [], wrong: 0 };
  let wrong = 0;
  for (const { head, body, at } of kept) {
    const hmac = createHmac('sha256', secret).update(body, 'latin1').digest('hex');
    if (/\r\nx-service-signature: sha256=(\w+)/i.exec(head)?.[1] !== hmac) wrong += 1;
    arrivals.deliveryIds.push(/\r\nx-service-delivery-id: (\S+)/i.exec(head)?.[1] ?? '');
    arrivals.transactionIds.push(/"id":"([^"]+)"/.exec(body)?.[1] ?? '');
    arrivals.at.push(at);
  }
  kept = [];
  return { ...arrivals, wrong };
}

const pems = await generate([{ name: 'commonName', value: `sink ${process.pid}` }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
  ],
});
const server = createServer({ key: pems.private, cert: pems.cert }, serve);
server.on('tlsClientError', () => {});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port, ca: pems.cert });
});
process.on('message', (question: SinkQuestion) => {
  process.send?.(question.ask === 'count' ? kept.length : take(question.secret));
});
process.on('disconnect', () => process.exit());
