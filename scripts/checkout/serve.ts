import type { AddressInfo } from 'node:net';
import fastify from 'fastify';

export type Handler = (request: Request) => Promise<Response>;

const BODY_BYTES_MAX = 256 * 1024;

/** Serves a request handler on the loopback interface, over TLS with a certificate. Port 0 chooses a free port. */
export async function serve(handler: Handler, port: number, certificate?: { key: string; cert: string }) {
  const server = fastify({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: true,
    https: certificate ?? null,
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  server.all('*', ({ url, method, headers, body }) =>
    handler(
      new Request(`http://shop${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
        ...(Buffer.isBuffer(body) && { body: new Uint8Array(body) }),
      }),
    ),
  );
  await server.listen({ port, host: '127.0.0.1' });
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() };
}
