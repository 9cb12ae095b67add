import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { signedHeaders } from '../support/signed-headers.ts';

const CLIENT = join(import.meta.dirname, '../../src/client');
const COMPRESSED_BYTES_MAX = 10_000;

/** One script with these entry points, as an integrator's bundler makes it. */
async function bundled(...entries: string[]): Promise<string> {
  const entry = join(temporaryFolder(), 'entry.js');
  writeFileSync(
    entry,
    entries.map((file) => `export * from ${JSON.stringify(join(CLIENT, file))};\n`).join(''),
  );
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, target: 'es2022', lib: { entry, formats: ['iife'], name: 'payments' } },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !('output' in output)) throw new Error('nothing was built');
  expect(output.output).toHaveLength(1);
  return output.output[0].code;
}

test('client and verification together stay under 10 kB compressed, without the server and its libraries', async () => {
  const [client, webhooks, both] = await Promise.all([
    bundled('client.ts'),
    bundled('webhooks.ts'),
    bundled('client.ts', 'webhooks.ts'),
  ]);
  const [clientBytes, webhookBytes, bytes] = [client, webhooks, both].map((code) => gzipSync(code).length);
  process.stdout.write(`gzip: client ${clientBytes} B, webhooks ${webhookBytes} B, both ${bytes} B\n`);
  expect(bytes).toBeLessThan(COMPRESSED_BYTES_MAX);
  expect(both).not.toMatch(/zod|better-sqlite3|kysely|require\(|\bBuffer\b|\bprocess\b/);
});

test('client and verification need only the web platform', async () => {
  const sent: string[] = [];
  const web = {
    URL,
    TextEncoder,
    TextDecoder,
    AbortController,
    AbortSignal,
    Headers,
    crypto,
    performance,
    setTimeout,
    clearTimeout,
    atob,
    Uint8Array,
    ArrayBuffer,
    fetch: async (url: string) => {
      sent.push(url);
      return new Response(JSON.stringify({ methods: [] }));
    },
  };
  const body = '{"event":"webhook.test","timestamp":"2026-01-31T12:00:00.000Z","data":{}}';
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const headers = signedHeaders(body, [secret], { kind: 'webhook.test' });
  const code = await bundled('client.ts', 'webhooks.ts');
  const said = await runInNewContext(
    `${code};
    payments.createPaymentsClient({ baseUrl: 'https://pay.example/api/v1', apiKey: 'key' }).methods()
      .then(async ({ methods }) => [methods.length, (await payments.verifyWebhook(body, headers, secret)).event])`,
    { ...web, body, headers, secret },
  );
  expect(Array.from(said)).toEqual([0, 'webhook.test']);
  expect(sent).toEqual(['https://pay.example/api/v1/payments/methods']);
});
