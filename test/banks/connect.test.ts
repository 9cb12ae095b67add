import dns from 'node:dns';
import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBankHttp } from '../../src/banks/exchange.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { listen } from '../support/listen.ts';
import { startSlowHandshake } from '../support/slow-handshake.ts';

test('a bank is reached although a packet is lost and its other address is dead', async () => {
  const server = createServer((_request, response) => response.end('{}'));
  const port = await startSlowHandshake(await listen(server));
  const http = createBankHttp(systemClock, 10_000);
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  const lookup = (_host: string, _options: unknown, done: (error: null, all: typeof addresses) => void) =>
    done(null, addresses);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
  onTestFinished(() => void vi.restoreAllMocks());
  const answer = await http.once({ method: 'GET', url: `http://bank.test:${port}/` });
  expect(answer).toEqual({ status: 200, text: '{}' });
});
