import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { generate } from 'selfsigned';
import { listen } from './listen.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as on the wire. */
  rawHeaders: string[];
  body: Buffer;
  /** `Date.now()` when the body was complete. */
  at: number;
}

/** Answers one request; `count` is its number, from 1. */
export type ReceiverHandler = (
  request: Received,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** Opens an endpoint on loopback, over TLS unless it is `plain`; it answers 200 without a `handler`. The caller closes it. */
export async function openReceiver(handler?: ReceiverHandler, transport: 'tls' | 'plain' = 'tls') {
  shared ??= makeCertificate();
  const certificate = transport === 'plain' ? null : await shared;
  const requests: Received[] = [];
  const sockets = new Set<Duplex>();
  let connections = 0;
  const listener: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The sender closed the connection before the end of the body.
      return;
    }
    const received: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      rawHeaders: request.rawHeaders,
      body: Buffer.concat(chunks),
      at: Date.now(),
    };
    const count = requests.push(received);
    if (handler) await handler(received, response, count);
    else response.end('ok');
  };
  const server = certificate === null ? createPlainServer(listener) : createServer(certificate, listener);
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listen(server);
  let closed: Promise<void> | null = null;
  return {
    /** `https://127.0.0.1:PORT/hook`; its certificate also names `localhost` and `*.receiver.test`. */
    url: `${certificate === null ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    /** The certificate to trust, PEM. */
    ca: certificate?.cert ?? '',
    requests,
    /** Sockets accepted so far. */
    get connections() {
      return connections;
    },
    /** Sockets open now. */
    get open() {
      return sockets.size;
    },
    close(): Promise<void> {
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closed;
    },
  };
}

/** One certificate for all receivers of a process. */
let shared: ReturnType<typeof makeCertificate> | undefined;

/** A self-signed certificate for this machine, PEM, valid for a year. Issuers that one process trusts need different names. */
export async function makeCertificate(name = 'localhost') {
  const pems = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 2, value: '*.receiver.test' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
        ],
      },
    ],
  });
  return { key: pems.private, cert: pems.cert };
}
