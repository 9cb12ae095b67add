import { isIP } from 'node:net';
import { createServer } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../support/listen.ts';
import { makeCertificate } from '../support/open-receiver.ts';
import { startSlowHandshake } from '../support/slow-handshake.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { post, transport } from './transport-kit.ts';

/** A transport for which each name has these addresses. */
const leadingTo = (ca: string, ...addresses: string[]) =>
  transport({ ca, resolve: async () => addresses.map((address) => ({ address, family: isIP(address) })) });

test('a slow handshake succeeds although the other address of the name is dead', async () => {
  const receiver = await startReceiver();
  const port = await startSlowHandshake(receiver.port);
  const result = await post(leadingTo(receiver.ca, '127.0.0.1', '::1'), `https://localhost:${port}/`);
  expect(result).toMatchObject({ status: 200, error: null });
  // Proves that the first packet was lost.
  expect(result.durationMs).toBeGreaterThan(500);
});

// Some servers refuse a server name with a trailing dot (RFC 6066, section 3).
test.each(['shop.receiver.test', 'shop.receiver.test.'])(
  '%s is named in TLS without a dot at the end',
  async (host) => {
    const certificate = await makeCertificate();
    const names: unknown[] = [];
    const server = createServer(certificate, (socket) => {
      names.push(socket.servername);
      socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
    });
    const port = await listen(server);
    onTestFinished(() => void server.close());
    const result = await post(leadingTo(certificate.cert, '127.0.0.1'), `https://${host}:${port}/`);
    expect(result).toMatchObject({ status: 204, error: null });
    expect(names).toEqual(['shop.receiver.test']);
  },
);

/** Sends three requests to a server that answers one per connection. Returns the statuses, and whether each TLS session was resumed. */
async function resumptions({ failsResumed }: { failsResumed: boolean }) {
  const certificate = await makeCertificate();
  const resumed: boolean[] = [];
  const server = createServer(certificate, (socket) => {
    resumed.push(socket.isSessionReused());
    socket.on('error', () => {});
    if (failsResumed && socket.isSessionReused()) socket.destroy();
    else socket.once('data', () => socket.end('HTTP/1.1 204 No Content\r\n\r\n'));
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  const by = leadingTo(certificate.cert, '127.0.0.1');
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc');
  const statuses: (number | null)[] = [];
  while (statuses.length < 3) {
    statuses.push((await post(by, `https://shop.receiver.test:${port}/`)).status);
    collectGarbage();
  }
  return { statuses, resumed };
}

test('a new connection resumes the last TLS session of the host', async () => {
  expect(await resumptions({ failsResumed: false })).toEqual({
    statuses: [204, 204, 204],
    resumed: [false, true, true],
  });
});

test('after a resumed session fails, the next connection begins a new one', async () => {
  const { statuses, resumed } = await resumptions({ failsResumed: true });
  expect(statuses).toEqual([204, null, 204]);
  expect(resumed).toEqual([false, true, false]);
});
