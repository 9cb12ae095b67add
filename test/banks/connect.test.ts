import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import net from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBankHttp, NoConnection } from '../../src/banks/exchange.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { listen } from '../support/listen.ts';
import { startSlowHandshake } from '../support/slow-handshake.ts';

/** A client of banks, closed after the test. */
function bankHttp(timeoutMs = 1000) {
  const http = createBankHttp(systemClock, timeoutMs);
  onTestFinished(async () => {
    await http.close();
    vi.restoreAllMocks();
  });
  return http;
}

/** Asks a bank at `port`, whose name has these addresses. */
async function reach(port: number, server: Server, timeoutMs: number, addresses: [string, number][]) {
  const http = bankHttp(timeoutMs);
  onTestFinished(() => void server.close());
  const all = addresses.map(([address, family]) => ({ address, family }));
  const lookup = (_host: string, _options: unknown, done: (error: null, found: typeof all) => void) =>
    done(null, all);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
  return await http.once({ method: 'GET', url: `http://bank.test:${port}/` });
}

const answering = () => createServer((_request, response) => response.end('{}'));

test('a bank is reached although a packet is lost and its other address is dead', async () => {
  const server = answering();
  const port = await startSlowHandshake(await listen(server));
  const answer = await reach(port, server, 10_000, [
    ['127.0.0.1', 4],
    ['::1', 6],
  ]);
  expect(answer).toEqual({ status: 200, text: '{}' });
});

test('a bank is reached within a short timeout although its first address does not respond', async () => {
  const server = answering();
  const port = await startSlowHandshake(0);
  server.listen(port, '127.0.0.2');
  const answer = await reach(port, server, 1500, [
    ['127.0.0.1', 4],
    ['127.0.0.2', 4],
  ]);
  expect(answer).toEqual({ status: 200, text: '{}' });
});

test('connections to a bank whose name server does not answer share two lookups', async () => {
  const http = bankHttp();
  const endings: ((error: Error) => void)[] = [];
  const lookup = (_host: string, _options: unknown, done: (error: Error) => void) => endings.push(done);
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  const push = () => http.once({ method: 'POST', url: 'http://bank.test/' }).catch((error) => error);
  const pushes = Array.from({ length: 10 }, push);
  for (const error of await Promise.all(pushes)) expect(error).toBeInstanceOf(NoConnection);
  const late = push();
  await vi.waitFor(() => expect(endings).toHaveLength(2));
  for (const end of endings) end(new Error('no answer'));
  expect(await late).toEqual(new NoConnection('no answer'));
  expect(await push()).toBeInstanceOf(NoConnection);
  expect(endings).toHaveLength(3);
});

test('an answer that arrives while the process is paused is read, although its deadline has passed', async () => {
  const server = createServer((_request, response) => {
    response.end('{}');
    // The answer is on its way; the process continues after its deadline.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  });
  const port = await listen(server);
  expect(await reach(port, server, 1000, [['127.0.0.1', 4]])).toEqual({ status: 200, text: '{}' });
});

test('a bank is reached when Node.js is set to try one address only', async () => {
  const isDefault = net.getDefaultAutoSelectFamily();
  onTestFinished(() => net.setDefaultAutoSelectFamily(isDefault));
  net.setDefaultAutoSelectFamily(false);
  const server = answering();
  const http = bankHttp();
  onTestFinished(() => void server.close());
  const port = await listen(server);
  expect(await http.once({ method: 'GET', url: `http://localhost:${port}/` })).toEqual({
    status: 200,
    text: '{}',
  });
});

test('a bank is looked up only in the address families of the machine', async () => {
  const http = bankHttp();
  const hints: unknown[] = [];
  const lookup = (_host: string, options: dns.LookupOptions, done: (error: Error) => void) => {
    hints.push(options.hints);
    done(new Error('no such name'));
  };
  vi.spyOn(dns, 'lookup').mockImplementation(lookup as unknown as typeof dns.lookup);
  await expect(http.once({ method: 'GET', url: 'http://bank.test/' })).rejects.toThrow('no such name');
  // Some name servers never answer for IPv6.
  expect(hints).toEqual([dns.ADDRCONFIG]);
});
