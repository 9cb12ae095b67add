import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createResolve } from '../../src/webhooks/transport/resolve.ts';
import { temporaryFolder } from '../support/database.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';
import { freePort } from '../support/process.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { post, transport, UNREACHABLE } from './transport-kit.ts';

/** A resolver that asks this name server, and knows no hosts. */
function resolverOf(server: DnsServer, allowPrivateNetworks = true) {
  return createResolve({ allowPrivateNetworks, servers: [server.address], hostsFile: '/nonexistent' });
}

function transportOf(server: DnsServer, ca: string, allowPrivateNetworks = true) {
  const resolve = resolverOf(server, allowPrivateNetworks);
  return transport({ allowPrivateNetworks, resolve, ca, connectionsMax: 1 });
}

test('a name whose address becomes refused keeps its open socket and gets no new one', async () => {
  const receiver = await startReceiver((request, response) => {
    if (request.path === '/last') response.setHeader('connection', 'close');
    response.end('ok');
  });
  let rebound = false;
  const dns = await startDnsServer(({ type }) => {
    if (type === 'AAAA') return [];
    return [rebound ? '169.254.169.254' : '127.0.0.1'];
  });
  const kept = transportOf(dns, receiver.ca);
  const url = `https://rebinding.receiver.test:${receiver.port}`;
  expect(await post(kept, `${url}/first`)).toMatchObject({ status: 200 });
  const asked = dns.questions.length;
  rebound = true;
  // The open socket still leads to the address that was judged: nothing is resolved, nothing is dialled.
  expect(await post(kept, `${url}/second`)).toMatchObject({ status: 200 });
  expect(await post(kept, `${url}/last`)).toMatchObject({ status: 200 });
  expect([dns.questions.length, receiver.connections]).toEqual([asked, 1]);
  // The next one needs a new socket, hence a new answer, although the first one was good for an hour.
  const refused = await post(kept, `${url}/never`);
  expect(refused).toMatchObject({ status: null, error: UNREACHABLE });
  expect(refused.errorDetail).toContain('169.254.169.254 is not a public address');
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/first', '/second', '/last']);
  rebound = false;
  expect(await post(kept, `${url}/again`)).toMatchObject({ status: 200 });
});

test.each([
  ['IPv4', ['93.184.215.14', '10.0.0.1'], [], '10.0.0.1'],
  ['IPv6', ['93.184.215.14'], ['fd00::1'], 'fd00::1'],
  ['mapped', [], ['2606:4700::1', '::ffff:a00:1'], '::ffff:'],
] as const)(
  'a name with one non-public %s address among public ones is refused',
  async (_family, v4, v6, named) => {
    const dns = await startDnsServer(({ type }) => (type === 'A' ? v4 : v6));
    const result = await post(transportOf(dns, '', false), 'https://mixed.receiver.test/');
    expect(result).toMatchObject({ status: null, error: UNREACHABLE });
    expect(result.errorDetail).toContain(named);
    expect(result.errorDetail).toContain('is not a public address');
  },
);

test('names whose server does not answer delay neither another name nor the system lookup', async () => {
  const dns = await startDnsServer(({ name, type }) => {
    if (name.startsWith('dead')) return 'no answer';
    return type === 'A' ? ['93.184.215.14'] : [];
  });
  const resolve = resolverOf(dns);
  const dead = Array.from({ length: 50 }, (_, i) => resolve(`dead${i}.receiver.test`).catch(() => 'failed'));
  const first = await Promise.race([
    resolve('alive.receiver.test').then((answers) => answers[0]?.address),
    Promise.race(dead),
  ]);
  expect(first).toBe('93.184.215.14');
  expect(await Promise.race([lookup('localhost').then(() => 'answered'), Promise.race(dead)])).toBe(
    'answered',
  );
});

test('a server that never answers for IPv6 delays a lookup by a fraction of a second', async () => {
  const dns = await startDnsServer(({ type }) => (type === 'A' ? ['93.184.215.14'] : 'no answer'));
  const startedAt = performance.now();
  expect(await resolverOf(dns)('half.receiver.test')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  // Its first two time-outs alone would be 1.5 s.
  expect(performance.now() - startedAt).toBeLessThan(1400);
});

test('a name that takes longer than the others of its name server is resolved', async () => {
  const dns = await startDnsServer(async ({ name, type }) => {
    if (name.startsWith('slow')) await wait(2000);
    return type === 'A' ? ['93.184.215.14'] : [];
  });
  const resolve = resolverOf(dns);
  for (let i = 0; i < 10; i++) await resolve(`prompt${i}.receiver.test`);
  expect(await resolve('slow.receiver.test')).toEqual([{ address: '93.184.215.14', family: 4 }]);
});

test('localhost and names in the hosts file need no name server; a changed file is read at once', async () => {
  const dns = await startDnsServer(() => 'no such name');
  const hostsFile = join(temporaryFolder(), 'hosts');
  writeFileSync(
    hostsFile,
    '# receivers\n10.1.2.3 Shop.internal shop # both\nfd00::9\tshop\nno-address name\nfe80::9%Eth0 zone\n',
  );
  const resolve = createResolve({ allowPrivateNetworks: false, servers: [dns.address], hostsFile });
  const addresses = async (name: string) => (await resolve(name)).map(({ address }) => address);
  expect(await addresses('localhost')).toEqual(['127.0.0.1', '::1']);
  expect(await addresses('a.LOCALHOST.')).toEqual(['127.0.0.1', '::1']);
  expect(await addresses('shop.internal.')).toEqual(['10.1.2.3']);
  expect(await addresses('shop')).toEqual(['10.1.2.3', 'fd00::9']);
  expect(await addresses('zone')).toEqual(['fe80::9%Eth0']);
  expect(dns.questions).toEqual([]);
  for (const name of ['name', 'both']) await expect(addresses(name)).rejects.toThrow('ENOTFOUND');
  writeFileSync(hostsFile, '10.9.9.9 name other-name\n');
  expect(await addresses('name')).toEqual(['10.9.9.9']);
});

test('the system looks up names unknown to DNS only where private networks are allowed', async () => {
  const dns = await startDnsServer(() => 'no such name');
  await expect(resolverOf(dns, false)('8.8.4.4')).rejects.toThrow('ENOTFOUND');
  // The system "finds" a literal address without any name server.
  expect(await resolverOf(dns, true)('8.8.4.4')).toEqual([{ address: '8.8.4.4', family: 4 }]);
});

test('a refused connection names each address that was tried', async () => {
  const dns = await startDnsServer(() => []);
  const refused = await post(transportOf(dns, ''), `https://localhost:${await freePort()}/`);
  expect(refused).toMatchObject({ status: null, error: UNREACHABLE });
  expect(refused.errorDetail).toMatch(/^ECONNREFUSED: [^,]* 127\.0\.0\.1:\d+, E\w+: [^,]* ::1:\d+/);
});

test('a refused connection to a name with many addresses names only the first ones', async () => {
  const addresses = Array.from({ length: 60 }, (_, n) => `127.0.0.${n + 1}`);
  const dns = await startDnsServer(({ type }) => (type === 'A' ? addresses : []));
  const refused = await post(transportOf(dns, ''), `https://many.receiver.test:${await freePort()}/`);
  expect(refused.errorDetail).toMatch(/^ECONNREFUSED: .*ECONNREFUSED 127\.0\.0\.\d+:\d+ and 52 more$/);
  expect(refused.errorDetail?.length).toBeLessThan(500);
});

test('a hosts file that could not be read while too many files were open is read again', () => {
  const hostsFile = join(temporaryFolder(), 'hosts');
  writeFileSync(hostsFile, '10.1.2.3 shop\n');
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { createHostsFile } from ${JSON.stringify(import.meta.resolve('../../src/webhooks/transport/hosts-file.ts'))};
    const lookUp = createHostsFile(${JSON.stringify(hostsFile)});
    const open = [];
    try { for (;;) open.push(openSync('/dev/null')); } catch {}
    const found = [lookUp('shop')];
    for (const file of open) closeSync(file);
    console.log(JSON.stringify([...found, lookUp('shop')]));`;
  const node = ['ulimit -n 64; exec "$0" --input-type=module --eval "$1"', process.execPath, script];
  expect(JSON.parse(execFileSync('bash', ['-c', ...node], { encoding: 'utf8' }))).toEqual([[], ['10.1.2.3']]);
});
