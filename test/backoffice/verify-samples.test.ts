import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { rotateWebhookSecret } from '../../src/merchants/rotate-secret.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { temporaryFolder } from '../support/database.ts';
import { type Received, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { webhookKit } from '../webhooks/kit.ts';

const SAMPLES = join(import.meta.dirname, '../../src/backoffice/web/pages/webhook/samples');

/** How each language runs a sample: the body on standard input, the other parameters as arguments. */
const LANGUAGES = {
  ts: {
    command: process.execPath,
    file: 'sample.ts',
    runner: 'run.mjs',
    program: `import { isGenuine } from './sample.ts';
import { readFileSync } from 'node:fs';
process.stdout.write(isGenuine(readFileSync(0), ...process.argv.slice(2)) ? 'genuine' : 'refused');`,
  },
  php: {
    command: 'php',
    file: 'sample.php',
    runner: 'run.php',
    program: `<?php
require __DIR__ . '/sample.php';
echo isGenuine(stream_get_contents(STDIN), ...array_slice($argv, 1)) ? 'genuine' : 'refused';`,
  },
  py: {
    command: 'python3',
    file: 'sample.py',
    runner: 'run.py',
    program: `import sys
from sample import is_genuine
print("genuine" if is_genuine(sys.stdin.buffer.read(), *sys.argv[1:]) else "refused", end="")`,
  },
};
type Language = keyof typeof LANGUAGES;
type Style = 'service' | 'standard';

function runs(language: Language): boolean {
  return spawnSync(LANGUAGES[language].command, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** Returns what a sample prints about a request. */
function judge(style: Style, language: Language, { body, headers }: Received, secret: string): string {
  const { command, file, runner, program } = LANGUAGES[language];
  const folder = temporaryFolder();
  writeFileSync(join(folder, file), readFileSync(join(SAMPLES, `${style}.${language}.txt`)));
  writeFileSync(join(folder, runner), program);
  const names =
    style === 'service' ? ['x-service-signature'] : ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const args = [...names.map((name) => String(headers[name] ?? '')), secret];
  const { stdout, stderr } = spawnSync(command, [join(folder, runner), ...args], {
    input: body,
    encoding: 'utf8',
  });
  return stdout === '' ? stderr : stdout;
}

/** A delivery during a rotation, and the two secrets that sign it. */
async function delivered() {
  const receiver = await startReceiver();
  const kit = await webhookKit({ clock: systemClock });
  const { id, secret } = await kit.shop(receiver.url);
  const { webhookSecret } = await rotateWebhookSecret(kit.deps, id, { now: false });
  kit.start({ ca: receiver.ca });
  await sendTestEvent(kit.deps, id);
  const request = await until(() => receiver.requests[0], 'the delivery');
  return { request, secret, newSecret: webhookSecret };
}

const available = Object.fromEntries(
  (Object.keys(LANGUAGES) as Language[]).map((language) => [language, runs(language)]),
);
beforeAll(() => expect(available.ts).toBe(true));

for (const language of Object.keys(LANGUAGES) as Language[]) {
  test.skipIf(!available[language])(
    `the samples in ${language} accept a delivery as documented during a rotation, and refuse it changed or with another secret`,
    async () => {
      const { request, secret, newSecret } = await delivered();
      const changed = { ...request, body: Buffer.from(request.body.toString().replace('TEST', 'TOST')) };
      const unsigned = { ...request, headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': 'soon' } };
      const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      for (const style of ['service', 'standard'] as const) {
        expect(judge(style, language, request, secret), style).toBe('genuine');
        expect(judge(style, language, changed, secret), style).toBe('refused');
        expect(judge(style, language, request, other), style).toBe('refused');
        expect(judge(style, language, unsigned, secret), style).toBe('refused');
      }
      // Only the standard header has a signature by each secret.
      expect(judge('service', language, request, newSecret)).toBe('refused');
      expect(judge('standard', language, request, newSecret)).toBe('genuine');
      const long = { ...request.headers, 'webhook-timestamp': '1700000000' };
      expect(judge('standard', language, { ...request, headers: long }, secret)).toBe('refused');
    },
  );
}
