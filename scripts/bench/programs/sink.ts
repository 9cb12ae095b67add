import { createHmac } from 'node:crypto';
import { createServer, type TLSSocket } from 'node:tls';
import { listen } from '../../../test/support/listen.ts';
import { makeCertificate } from '../../../test/support/open-receiver.ts';
import { completeMessage } from '../load.ts';
import { answerQuestions } from '../questions.ts';
import { systemNow } from '../statistics.ts';

/**
 * A merchant's endpoint over TLS. Answers each POST at once and verifies signatures only on request, so that the measured time is
 * the sender's. `/hang` never answers. Parses HTTP by hand, because a full server would be slower than the senders.
 */
export type SinkQuestion = { ask: 'count' } | { ask: 'take'; secret: string };

/** Deliveries in the order of arrival. */
export type Arrivals = ReturnType<typeof take>;

interface Received {
  readonly head: string;
  readonly body: string;
  readonly at: number;
}

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

let deliveries: Received[] = [];

function serve(socket: TLSSocket): void {
  let received = '';
  let firstAt = 0;
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    if (received === '') firstAt = systemNow();
    received += chunk;
    const message = completeMessage(received);
    if (message === null) return;
    received = '';
    const { head, body } = message;
    if (head.startsWith('POST /hang ')) return;
    deliveries.push({ head, body, at: firstAt });
    socket.write(ANSWER);
  });
}

function take(secret: string) {
  const taken = deliveries;
  deliveries = [];
  const wrong = taken.filter(({ head, body }) => {
    const hmac = createHmac('sha256', secret).update(body, 'latin1').digest('hex');
    return /\r\nx-service-signature: sha256=(\w+)/i.exec(head)?.[1] !== hmac;
  });
  return {
    deliveryIds: taken.map(({ head }) => /\r\nx-service-delivery-id: (\S+)/i.exec(head)?.[1] ?? ''),
    transactionIds: taken.map(({ body }) => /"id":"([^"]+)"/.exec(body)?.[1] ?? ''),
    /** The time at which the first byte arrived, from `systemNow`. */
    at: taken.map(({ at }) => at),
    /** The number of wrong signatures. */
    wrong: wrong.length,
  };
}

const certificate = await makeCertificate(`sink ${process.pid}`);
const server = createServer(certificate, serve);
server.on('tlsClientError', () => {});
answerQuestions(
  (question: SinkQuestion) => (question.ask === 'count' ? deliveries.length : take(question.secret)),
  { port: await listen(server), ca: certificate.cert },
);
