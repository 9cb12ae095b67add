import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify from 'fastify';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { readConfig } from '../../src/config.ts';
import { MAIL_KINDS } from '../../src/db/tables/mails.ts';
import { TRY_PATH } from '../../src/docs/layout.ts';
import { createDocument, PLACEHOLDER_SERVER } from '../../src/docs/openapi/document.ts';
import { OPERATION_CODES } from '../../src/docs/openapi/errors.ts';
import { contentFile, readPages } from '../../src/docs/pages.ts';
import { CHECKOUT_DOCUMENT_PATH, DOCUMENT_PATH, docsRoutes, POSTMAN_PATH } from '../../src/docs/plugin.ts';
import { fieldAnchor, membersOf, type Schema } from '../../src/docs/reference/schema-table.ts';
import { createSite } from '../../src/docs/site.ts';
import { ERROR_STATUS } from '../../src/kernel/errors.ts';
import type { Language } from '../../src/kernel/language.ts';
import { EVENT_KINDS } from '../../src/kernel/payment-enums.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const README = readFileSync(join(SOURCE, '../README.md'), 'utf8');
const CODES = Object.keys(ERROR_STATUS);
const SERVICE_SECRET_KEY = Buffer.alloc(32, 1).toString('base64');

let site: ReadonlyMap<string, string>;
let live: ReadonlyMap<string, string>;
let schemas: Record<string, Schema>;
beforeAll(() => {
  const { settings } = readConfig({ SERVICE_SECRET_KEY });
  site = createSite(settings).pages;
  live = createSite({ ...settings, bank: 'ifthenpay', publicUrl: 'https://pay.example' }).pages;
  schemas = createDocument(PLACEHOLDER_SERVER).components.schemas as Record<string, Schema>;
});

const page = (path: string) => site.get(path) ?? '';
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
/** The ids of a page that start with a prefix, without the prefix. */
const anchors = (prefix: string, path = '/docs/reference') =>
  idsOf(page(path))
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length));

test('every link leads to a page and an anchor of the documentation', () => {
  const dead: string[] = [];
  for (const [path, html] of [...site, ...live]) {
    const pages = html.includes('test-money') ? site : live;
    for (const [, target = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const [file = '', anchor] = target.split('#');
      if (
        file.startsWith('/docs/site/') ||
        [CHECKOUT_DOCUMENT_PATH, DOCUMENT_PATH, POSTMAN_PATH, TRY_PATH, '/backoffice'].includes(file)
      )
        continue;
      const there = pages.get(file === '' ? path : file);
      if (there === undefined || (anchor !== undefined && !idsOf(there).includes(anchor)))
        dead.push(`${path}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('every id is unique on its page and every directive is replaced', () => {
  for (const [path, html] of [...site, ...live]) {
    const ids = idsOf(html);
    expect(new Set(ids).size, path).toBe(ids.length);
    expect(html.replace(/<pre[\s\S]*?<\/pre>/g, ''), path).not.toMatch(/\{\{|\{#|undefined|\[object/);
  }
});

test('with a real bank no page shows the sandbox and samples call the public URL', () => {
  const guides = ['/docs/guides/running-it', '/docs/guides/failover', '/docs/pt/guias/comutacao'];
  const operator = [...guides, '/docs/settings'];
  for (const [path, html] of live) {
    expect(html, path).not.toMatch(/911\d{6}|npm start|TEST MONEY/);
    if (!operator.includes(path)) expect(html, path).not.toMatch(/127\.0\.0\.1|localhost|sandbox/i);
  }
  const hidden = [...site.keys()].filter((path) => !live.has(path));
  expect(hidden.sort()).toEqual(['/docs/guides/sandbox', '/docs/pt/guias/sandbox']);
  for (const path of ['/docs', '/docs/pt', '/docs/guides/first-payment', '/docs/pt/guias/primeiro-pagamento'])
    expect(live.get(path), path).toContain('https://pay.example/api/v1');
  const reference = textOf(live.get('/docs/reference') ?? '');
  expect(reference).toContain("process.env.BASE_URL ?? 'https://pay.example/api/v1'");
  expect(reference).toContain("phoneNumber: '9XXXXXXXX'");
});

test('with the sandbox every page says TEST MONEY and shows the ports of its service', () => {
  const { settings } = readConfig({ SERVICE_PORT: '9000', SERVICE_SECRET_KEY });
  const { pages } = createSite({ ...settings, sandboxPage: 'http://127.0.0.1:9001/' });
  for (const [path, html] of pages) {
    expect(html, path).toContain('<strong>TEST MONEY</strong>');
    expect(textOf(html), path).not.toMatch(/http:\/\/127\.0\.0\.1:808\d/);
  }
  const guide = textOf(pages.get('/docs/guides/first-payment') ?? '');
  expect(guide).toContain('--url http://127.0.0.1:9000 --forward');
  expect(guide).toContain('BASE_URL=http://127.0.0.1:9000/api/v1');
  expect(textOf(pages.get('/docs/guides/sandbox') ?? '')).toContain('http://127.0.0.1:9001/control/mbway');
});

test('the error catalogue explains every code in both languages', () => {
  expect(anchors('error-')).toEqual(CODES);
  expect(anchors('error-', '/docs/pt/guias/erros')).toEqual(CODES);
  const linked = [...page('/docs/guides/errors').matchAll(/#error-([A-Z_]+)"/g)].map(([, code]) => code);
  expect(linked.sort()).toEqual([...CODES].sort());
});

test('the reference has a curl call of every operation and all its error codes', () => {
  const sections = page('/docs/reference').split('<h3 id="');
  for (const [name, codes] of Object.entries(OPERATION_CODES)) {
    const section = sections.find((text) => text.startsWith(`${name}"`)) ?? '';
    expect(/data-label="([^"]+)"/.exec(section)?.[1], name).toBe('curl');
    const linked = [...section.matchAll(/href="#error-([A-Z_]+)"/g)].map(([, code]) => code);
    expect(linked, name).toEqual(codes);
  }
  // No operation returns NOT_FOUND: it is the answer at unknown addresses.
  expect(new Set(['NOT_FOUND', ...Object.values(OPERATION_CODES).flat()])).toEqual(new Set(CODES));
});

test('the reference has every member of every body', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    if (name === 'ApiError') continue;
    const members = membersOf(schema).map(({ path }) => fieldAnchor(name, path));
    expect(anchors(`${name}-`).map((rest) => `${name}-${rest}`)).toEqual(members);
  }
});

test('the reference shows a delivery of every event with a valid signature', () => {
  const text = textOf(page('/docs/reference'));
  expect(anchors('event-')).toEqual(EVENT_KINDS);
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(text)?.[0] ?? '';
  const deliveries = [...text.matchAll(/X-Service-Signature: (\S+)\n[\s\S]*?\n\n(\{.*\})\n/g)];
  expect(deliveries.map(([, , body = '']) => JSON.parse(body).event)).toEqual(EVENT_KINDS);
  for (const [, signature, body = ''] of deliveries) {
    expect(signature).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  }
});

/** The settings page as [name, default] pairs. */
const documentedSettings = () =>
  [
    ...readFileSync(join(SOURCE, 'docs/content/en/settings.md'), 'utf8').matchAll(
      /^\| `(\w+)` \| (.*?) \|/gm,
    ),
  ].map(([, name = '', fallback = '']) => [name, fallback] as const);

test('the settings page lists every setting that the service reads with its default', () => {
  const files = ['config.ts', 'config-addresses.ts', 'config-keys.ts'].map((file) =>
    readFileSync(join(SOURCE, file), 'utf8'),
  );
  const config = files.join('\n');
  const read = new Set(config.match(/(?<=')SERVICE_[A-Z_]+(?=')/g));
  const documented = new Map(documentedSettings());
  expect([...documented.keys()].sort()).toEqual([...read].sort());
  for (const [path, html] of site) {
    for (const name of html.match(/\bSERVICE_[A-Z_]+/g) ?? []) expect(read, path).toContain(name);
  }
  const defaults = [
    ...config.matchAll(/'(SERVICE_[A-Z_]+)',\s*(?:sandbox \? ([\d_]+) : )?([\d_]+|true|false)\b/g),
  ];
  expect(defaults.length).toBeGreaterThan(15);
  const code = (value: string) => `\`${value.replaceAll('_', '')}\``;
  for (const [, name = '', sandbox, fallback = ''] of defaults) {
    const expected = sandbox === undefined ? code(fallback) : `${code(fallback)} (${code(sandbox)})`;
    expect(documented.get(name), name).toBe(expected);
  }
});

test('the Portuguese guides have the figures of the English ones', () => {
  const figures = (language: Language, name: string) =>
    [...readFileSync(contentFile(language, name), 'utf8').matchAll(/(?<![\w#/-])\d+(?:[.,:]\d+)*/g)]
      .map(([figure]) => figure.replaceAll(',', '.'))
      .sort();
  const translated = readPages().filter(({ pt }) => pt !== undefined);
  for (const name of [...translated.map((guide) => guide.name), 'error-catalogue']) {
    // The setup of the mail server is in English only.
    if (name !== 'mail') expect(figures('pt', name), name).toEqual(figures('en', name));
  }
});

test('the page about mail explains every kind', () => {
  const kinds = [...page('/docs/guides/mail').matchAll(/<td><code>([a-z-]+)<\/code><\/td>/g)];
  expect(kinds.map(([, kind]) => kind)).toEqual(MAIL_KINDS);
});

test('the codes and commands on the pages exist', () => {
  const details = ['INSUFFICIENT_FUNDS', 'REFUNDED_ELSEWHERE', 'ORIGINAL_DONE'];
  const known = [...CODES, ...details, 'API_KEY', 'WEBHOOK_SECRET', 'NODE_EXTRA_CA_CERTS'];
  const commands = COMMANDS.map(({ name }) => name);
  const { scripts } = JSON.parse(readFileSync(join(SOURCE, '../package.json'), 'utf8'));
  for (const [path, html] of site) {
    for (const [, word = ''] of html.matchAll(/<code>(?:\d{3} )?([A-Z]+_[A-Z_]+)<\/code>/g)) {
      if (!word.startsWith('SERVICE_')) expect(known, path).toContain(word);
    }
    // The highlighter marks the shell's word `export`.
    const plain = html.replace(/<\/?span[^>]*>/g, '');
    for (const [, name] of plain.matchAll(/service -- ([a-z]+(?: [a-z][a-z-]*)?)/g))
      expect(commands, path).toContain(name);
    for (const [, name = ''] of html.matchAll(/npm run (?:--silent )?([a-z:]+)/g))
      expect(scripts, path).toHaveProperty(name);
  }
});

test('no command of a page or the README has a secret among its arguments', () => {
  const secret = /(?:KEY|PASSWORD|SECRET)=|:PASSWORD@|--(?:key|secret) /;
  const texts = [...site, ...live].map(([path, html]) => [path, textOf(html)] as const);
  for (const [path, text] of [['README', README] as const, ...texts]) {
    const commands = text.replaceAll('\\\n', '').match(/^ *(?:npm run|runuser|sudo|env|docker) .*$/gm) ?? [];
    expect(
      commands.filter((command) => secret.test(command)),
      path,
    ).toEqual([]);
  }
});

test('an excerpt of the search shows code and links in a sentence as the page does', () => {
  const { search } = createSite(readConfig({ SERVICE_SECRET_KEY }).settings);
  expect(textOf(search('en', 'ADVICE'))).toContain('get one ADVICE, because');
});

test('pages and documents that failed to load once are loaded again', async () => {
  const { settings } = readConfig({ SERVICE_SECRET_KEY });
  const failing = { count: 0 };
  const server = Fastify();
  onTestFinished(() => server.close());
  const once = {
    ...settings,
    get port(): number {
      if (failing.count-- > 0) throw new Error('EMFILE');
      return settings.port;
    },
  };
  await server.register(docsRoutes(once));
  for (const path of ['/docs', POSTMAN_PATH]) {
    failing.count = 1;
    const statuses = [(await server.inject(path)).statusCode, (await server.inject(path)).statusCode];
    expect(statuses, path).toEqual([500, 200]);
  }
});
