import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify from 'fastify';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { mountPages } from '../../src/backoffice/pages.ts';
import { backofficePlugin } from '../../src/backoffice/plugin.ts';
import { temporaryFolder } from '../support/database.ts';
import { jsonPost, startService } from '../support/harness.ts';
import { PASSWORD, signedIn, visitor } from './support.ts';

const service = await startService({ whenOver: afterAll });
/** A service behind a proxy, which names the scheme that browsers use. */
const proxied = await startService({ whenOver: afterAll, env: { SERVICE_TRUST_PROXY: '127.0.0.1' } });

const HTML = '<script type="module" src="/backoffice/assets/main-1.js" nonce="__NONCE__"></script>';

async function pages(folder = builtFolder()) {
  const server = fastify();
  onTestFinished(() => server.close());
  await mountPages(server, folder);
  return server;
}

function builtFolder(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), HTML);
  writeFileSync(join(folder, 'assets/main-1.js'), 'run()');
  writeFileSync(join(folder, 'assets/main-1.js.gz'), gzipSync('run()'));
  writeFileSync(join(folder, 'assets/main-1.js.br'), 'brotli');
  writeFileSync(join(folder, 'manifest.json'), '{}');
  return folder;
}

test('without readable pages, the back office says to build them or to make them readable', async () => {
  const { body } = await (await pages(temporaryFolder())).inject({ url: '/backoffice' });
  expect(body).toContain('npm ci');
  expect(body).toContain('chmod -R go+rX');
});

test('every page path serves the document under a strict policy with a new nonce', async () => {
  const server = await pages();
  const nonces = new Set<string>();
  for (const url of ['/backoffice', '/backoffice/', '/backoffice/m/mer_1/transactions', '/backoffice/link']) {
    const { statusCode, headers, body } = await server.inject({ url });
    const policy = String(headers['content-security-policy']);
    const [, nonce = ''] = /'nonce-([^']+)'/.exec(policy) ?? [];
    expect([url, statusCode, headers['cache-control']]).toEqual([url, 200, 'no-store']);
    expect(body).toBe(HTML.replace('__NONCE__', nonce));
    expect(policy.split('; ').toSorted()).toEqual(
      [
        "base-uri 'none'",
        "connect-src 'self'",
        "default-src 'none'",
        "font-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "img-src 'self' data:",
        "script-src 'self'",
        `style-src 'self' 'nonce-${nonce}'`,
      ].toSorted(),
    );
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

test('hashed files are immutable and served pre-compressed', async () => {
  const server = await pages();
  const get = (encoding: string, range = '') =>
    server.inject({ url: '/backoffice/assets/main-1.js', headers: { 'accept-encoding': encoding, range } });
  const plain = await get('identity');
  expect(plain.body).toBe('run()');
  expect(plain.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'application/javascript; charset=utf-8',
    vary: 'accept-encoding',
  });
  expect((await get('identity', 'bytes=0-1')).body).toBe('run()');
  expect((await get('gzip, br')).headers['content-encoding']).toBe('br');
  expect((await get('gzip, br;q=0')).headers['content-encoding']).toBe('gzip');
});

test('only the assets of the build are served', async () => {
  const server = await pages();
  for (const name of ['assets/../manifest.json', 'assets/%2e%2e/manifest.json', 'manifest.json']) {
    const { body } = await server.inject({ url: `/backoffice/${name}` });
    expect([name, body]).not.toEqual([name, '{}']);
  }
  expect((await server.inject({ url: '/backoffice/assets/gone.js' })).statusCode).toBe(404);
});

test('the cookie is HttpOnly, SameSite=Strict and limited to the back office', async () => {
  const { email } = await signedIn(service, { role: 'operator' });
  const [cookie = ''] = (await visitor(service.url).signIn(email)).headers.getSetCookie();
  expect(cookie).toMatch(/^backoffice=[\w-]{43}; Path=\/backoffice; HttpOnly; SameSite=Strict$/);
});

test('behind TLS the cookie is Secure with the __Host- prefix', async () => {
  const { email } = await signedIn(proxied, { role: 'operator' });
  const browser = visitor(proxied.url);
  const overTls = { 'x-forwarded-proto': 'https', origin: proxied.url.replace('http:', 'https:') };
  const signedInOverTls = await browser.mutate('session.signIn', { email, password: PASSWORD }, overTls);
  const [cookie = ''] = signedInOverTls.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-backoffice=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
  // Over plain HTTP it is ignored.
  expect((await browser.query('session.current')).value.user).toBeNull();
});

test('an https public URL makes the cookie Secure, its origin accepted, and is known to whoever is signed in', async () => {
  const { deps } = service.app;
  const { email } = await signedIn(service, { role: 'operator' });
  const server = fastify();
  onTestFinished(() => server.close());
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', (_request, _payload, done) => done(null));
  server.decorateRequest('failure', null);
  const settings = { ...deps.settings, publicUrl: 'https://pay.example.pt' };
  await server.register(backofficePlugin({ deps: { ...deps, settings } }));
  const signIn = (origin: string) =>
    server.inject({
      method: 'POST',
      url: '/backoffice/trpc/session.signIn',
      headers: { 'content-type': 'application/json', 'x-backoffice': '1', origin },
      payload: JSON.stringify({ email, password: PASSWORD }),
    });
  const accepted = await signIn('https://pay.example.pt');
  expect(accepted.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-backoffice=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    expect.stringMatching(
      /^__Host-backoffice-device=v1\.[\w+/=]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ]);
  const [cookie = ''] = [accepted.headers['set-cookie'] ?? []].flat();
  const publicUrlOf = async (headers: Record<string, string>) => {
    const answer = await server.inject({ url: '/backoffice/trpc/session.current', headers });
    return answer.json().result.data.publicUrl;
  };
  expect(await publicUrlOf({ cookie })).toBe(settings.publicUrl);
  expect(await publicUrlOf({})).toBeNull();
  for (const origin of ['https://pay.example.pt:8443', 'http://pay.example.pt'])
    expect([origin, (await signIn(origin)).statusCode]).toEqual([origin, 403]);
});

test('a mutation from another origin is refused even with a valid cookie', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const elsewhere = { origin: 'https://evil.example' };
  const host = new URL(service.url).host;
  const refused: Record<string, string>[] = [
    elsewhere,
    { origin: 'null' },
    { origin: `https://${host}.evil.example` },
    { origin: 'http://localhost:1' },
    { 'x-backoffice': '0' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin', ...elsewhere },
  ];
  for (const headers of refused) {
    const said = await person.mutate('session.signOut', {}, headers);
    expect([headers, said.status, said.error?.code]).toEqual([headers, 403, 'FORBIDDEN']);
  }
  const bare = (headers: Record<string, string>) =>
    fetch(
      `${service.url}/backoffice/trpc/session.signOut`,
      jsonPost({}, { cookie: person.cookie() ?? '', ...headers }),
    );
  expect((await bare({})).status).toBe(403);
  expect((await bare({ 'x-backoffice': '1' })).status).toBe(403);
  expect((await bare({ origin: service.url })).status).toBe(403);
  expect((await person.query('session.current')).value.user).not.toBeNull();
  const fromHere = { 'x-backoffice': '1', 'sec-fetch-site': 'same-origin' };
  expect((await bare(fromHere)).status).toBe(200);
});

test('an origin must match the scheme, where it is known, and the exact form of browsers', async () => {
  const { host } = new URL(proxied.url);
  const stranger = visitor(proxied.url, '192.0.2.1');
  for (const scheme of ['http', 'https'])
    for (const claimed of ['http', 'https']) {
      const headers = { origin: `${claimed}://${host}`, 'x-forwarded-proto': scheme };
      const { status } = await stranger.mutate('session.signOut', {}, headers);
      expect([scheme, claimed, status]).toEqual([scheme, claimed, scheme === claimed ? 401 : 403]);
    }
  const own = visitor(service.url);
  const ours = new URL(service.url).host;
  const plain = async (origin: string) => (await own.mutate('session.signOut', {}, { origin })).status;
  // This service cannot know whether TLS ended in front of it.
  for (const origin of [`http://${ours}`, `https://${ours}`]) expect(await plain(origin)).toBe(401);
  for (const origin of [
    `http://${ours}/`,
    `http://somebody@${ours}`,
    `HTTP://${ours}`,
    `ftp://${ours}`,
    `http:${ours}`,
    `http:\\\\${ours}`,
  ])
    expect([origin, await plain(origin)]).toEqual([origin, 403]);
});

test('queries by POST, mutations by GET, batches and unknown paths are refused', async () => {
  const { url } = service;
  const status = async (path: string) => (await fetch(`${url}/backoffice/trpc/${path}`)).status;
  expect(await status('session.signOut')).toBe(404);
  expect((await visitor(url).mutate('session.current')).status).toBe(404);
  expect((await fetch(`${url}/backoffice/export/nothing.csv`)).status).toBe(404);
  expect(await status('session.current,session.current?batch=1')).toBe(400);
  expect(await status('session.nothing')).toBe(404);
  expect(await status('session.current?batch=1')).toBe(400);
});

test('a body above 8 KiB without a session, above 256 KiB with one, or without a JSON object is refused', async () => {
  const stranger = visitor(service.url);
  const email = (bytes: number) => ({ email: 'x'.repeat(bytes), password: '' });
  const large = await stranger.mutate('session.signIn', email(8 * 1024));
  expect(large).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST', fields: [] } });
  expect((await stranger.mutate('session.signIn', email(8 * 1000))).error.fields).toEqual(['email']);
  expect(await stranger.mutate('session.signIn', [])).toMatchObject({ status: 400 });
  const person = await signedIn(service, { role: 'operator' });
  expect((await person.mutate('session.signIn', email(256 * 1024))).error.fields).toEqual([]);
  expect((await person.mutate('session.signIn', email(250 * 1024))).error.fields).toEqual(['email']);
});

test('an error names no unknown members, however many there are', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`stranger-${i}`, 1]));
  const answers = [
    await visitor(service.url).mutate('session.signIn', unknown(400)),
    await visitor(service.url).query('session.current', unknown(400)),
    await person.mutate('session.reauthenticate', unknown(15_000)),
    await person.mutate('merchants.create', { name: 'x', domains: Array(60_000).fill(1) }),
    await person.query('users.list', unknown(400)),
  ];
  for (const { status, error } of answers) {
    if (status === 200) continue;
    expect(status).toBe(400);
    expect(JSON.stringify(error)).not.toContain('stranger');
    expect(JSON.stringify(error).length).toBeLessThan(4096);
  }
  const query = Object.keys(unknown(400))
    .map((name) => `${name}=1`)
    .join('&');
  const download = await (await person.get(`/export/audit.csv?${query}`)).text();
  expect(download).not.toContain('stranger');
});

test('the cookie gives no access to the API, and an API key none to the back office', async () => {
  const merchant = await service.merchant();
  const response = await fetch(`${service.url}/backoffice/trpc/users.list?input={}`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  });
  expect(response.status).toBe(401);
  const person = await signedIn(service, { role: 'operator' });
  const methods = await fetch(`${service.url}/api/v1/payments/methods`, {
    headers: { cookie: person.cookie() ?? '' },
  });
  expect(methods.status).toBe(401);
});
