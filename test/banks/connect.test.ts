import dns from 'node:dns';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBankHttp } from '../../src/banks/exchange.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { listen } from '../support/listen.ts';
import { startSlowHandshake } from '../support/slow-handshake.ts';

/** Resolves every name to these addresses. */
function resolveTo(addresses: { address: string; family: number }[]): void {
  const lookup = (_host: string, _options: unknown, done: (error: null, all: typeof addresses) => void) =>
    done(null, addresses);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
  onTestFinished(() => void vi.restoreAllMocks());
}

test('a bank is reached although a packet is lost and its other address is dead', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  const port = await startSlowHandshake(await listen(server));
  const http = createBankHttp(systemClock, 10_000);
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  resolveTo([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  const answer = await http.once({ method: 'GET', url: `http://bank.test:${port}/` });
  expect(answer).toEqual({ status: 200, text: '{}' });
});

test('a bank is reached within a short timeout although its first address does not respond', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  const port = await startSlowHandshake(0);
  server.listen(port, '127.0.0.2');
  const http = createBankHttp(systemClock, 1500);
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  resolveTo([
    { address: '127.0.0.1', family: 4 },
    { address: '127.0.0.2', family: 4 },
  ]);
  const answer = await http.once({ method: 'GET', url: `http://bank.test:${port}/` });
  expect(answer).toEqual({ status: 200, text: '{}' });
});
