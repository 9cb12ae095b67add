import {
  createServer as createPlainServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { generate } from 'selfsigned';

/** One request as it arrived. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as on the wire. */
  rawHeaders: string[];
  /** The raw bytes. */
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
export async function openReceiver(handler?: ReceiverHandler, own?: Certificate | 'plain') {
  const certificate = own === 'plain' ? null : (own ?? (await sharedCertificate()));
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
  const tls = certificate === null ? null : createServer(certificate, listener);
  const server = tls ?? createPlainServer(listener);
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let closed: Promise<void> | null = null;
  return {
    /** `https://127.0.0.1:PORT/hook`; its certificate also names `localhost` and `*.receiver.test`. */
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}/hook`,
    port,
    /** The certificate to trust, PEM. */
    ca: certificate?.cert ?? '',
    requests,
    /** Sockets accepted so far. */
    get connections() {
      return connections;
    },
    /** New connections are served with this certificate. */
    renew: (renewed: Certificate) => tls?.setSecureContext(renewed),
    close(): Promise<void> {
      closed ??= new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
      return closed;
    },
  };
}

/** PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

let shared: Promise<Certificate> | null = null;

/** One certificate for all receivers of a process. */
function sharedCertificate(): Promise<Certificate> {
  shared ??= makeCertificate();
  return shared;
}

/** A self-signed certificate for this machine, valid for a year, or until `notAfter`. */
export async function makeCertificate(notAfter?: Date): Promise<Certificate> {
  const pems = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(notAfter && { notBeforeDate: new Date(notAfter.getTime() - 86_400_000), notAfterDate: notAfter }),
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
