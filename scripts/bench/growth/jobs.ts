import { BenchError, type Job } from '../contest.ts';
import { initRequest, transactionIdIn } from '../order.ts';

type Peer = Readonly<{ port: number; authorization: string }>;

/** New payments; `made` is told their ids. */
export function writeJob(peer: Peer, made: (id: string) => void = () => {}): Job {
  let sent = 0;
  return {
    nextRequest: () => initRequest(peer, sent++),
    accept(body) {
      const id = transactionIdIn(body);
      if (id === null) throw new BenchError(`no transactionId: ${body.slice(0, 500)}`);
      made(id);
    },
    verify() {},
  };
}

/** Reads of `target`, which is told how many went before; every answer must speak of a transaction. */
export function readJob(
  peer: Peer,
  headers: Readonly<Record<string, string>>,
  target: (n: number) => string,
): Job {
  const lines = Object.entries({ Host: `127.0.0.1:${peer.port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  let sent = 0;
  return {
    nextRequest: () => `GET ${target(sent++)} HTTP/1.1\r\n${lines.join('')}\r\n`,
    accept(body) {
      if (transactionIdIn(body) === null) throw new BenchError(`no transaction in: ${body.slice(0, 500)}`);
    },
    verify() {},
  };
}
