import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';

export type Handler = (request: Request) => Promise<Response>;

export interface Served {
  port: number;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 256 * 1024;

/** Serves a request handler on the loopback interface, over TLS with a certificate. Port 0 chooses a free port. */
export async function serve(
  handler: Handler,
  port: number,
  certificate?: { key: string; cert: string },
): Promise<Served> {
  const listener: RequestListener = (incoming, outgoing) => void exchange(handler, incoming, outgoing);
  const server = certificate ? createTlsServer(certificate, listener) : createServer(listener);
  await listening(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function exchange(
  handler: Handler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  try {
    const body = await bytesOf(incoming);
    if (body === null) {
      outgoing.writeHead(413, { Connection: 'close' }).end();
      return;
    }
    const method = incoming.method ?? 'GET';
    const answer = await handler(
      new Request(`http://shop${incoming.url ?? '/'}`, {
        method,
        headers: Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
        ...(body.length > 0 && { body }),
      }),
    );
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  } catch {
    outgoing.destroy();
  }
}

/** Returns the body, or null when it is too large. */
async function bytesOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
