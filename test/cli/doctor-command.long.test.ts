import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { freePort } from '../support/process.ts';
import { SECRET, startHook } from './doctor-kit.ts';
import { runHere } from './support.ts';

describe('the command', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runHere(temporaryFolder(), ['webhook', 'doctor', ...args], { SERVICE_BANK: 'ifthenpay', ...env });

  test('for a program: one JSON object, and exit 1 with the broken rules named', async () => {
    const good = await startHook();
    const kept = await run([good.url, '--secret', SECRET, '--count-url', good.countUrl, '--json']);
    expect([kept.code, kept.stderr]).toEqual([0, '']);
    const report = JSON.parse(kept.stdout);
    expect(report).toMatchObject({ url: good.url, passed: true });
    expect(Object.keys(report.rules[0])).toEqual(['rule', 'title', 'state', 'found']);

    const bad = await startHook({ unknownStatus: 400 });
    const broken = await run([bad.url, '--json'], { WEBHOOK_SECRET: SECRET });
    expect([broken.code, broken.stderr]).toEqual([1, 'broken: unknown-kind\n']);
    expect(JSON.parse(broken.stdout).passed).toBe(false);
  }, 60_000);

  test('for a person: progress on standard error, the report with what to do on standard output', async () => {
    const bad = await startHook({ unknownStatus: 400 });
    const { code, stdout, stderr } = await run([
      bad.url,
      '--secret',
      SECRET,
      '--order-id',
      'ORDER-7',
      '--amount',
      '5',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^PASS {5}accepts: accepts a genuine payment\.success\n {11}answers 200 in \d+ ms\n {11}not seen: /,
    );
    expect(stdout).toMatch(
      /FAIL {5}unknown-kind: [^\n]+\n {11}answers 400 in [^\n]+\n {11}to mend it: answer 200 to what you do not act on/,
    );
    expect(stdout).toMatch(/\n\n12 rules kept, 1 broken, 1 with advice, 0 not judged\n$/);
    expect(stderr).toMatch(/^examining http[^\n]+\n1\/14 accepts a genuine payment\.success\n/);
    expect(stderr).toMatch(/\nbroken: unknown-kind\n$/);
  }, 60_000);

  test('what is typed wrongly, or cannot be read, is one line', async () => {
    const { url, countUrl } = await startHook();
    const nobody = `http://127.0.0.1:${await freePort()}/hook`;
    for (const [args, line] of [
      [[], /^URL is missing; the form is: webhook doctor URL/],
      [['localhost:3000'], /^URL is an http or https address, not "localhost:3000"/],
      [[url, '--secret', 'sk_1'], /^--secret is the whole webhook secret, whsec_/],
      [[url, '--secret', SECRET, '--amount', '0'], /^--amount is in EUR/],
      [
        [url, '--secret', SECRET, '--count-url', nobody],
        /^--count-url http\S+ cannot be read: [^\n]*ECONNREFUSED/,
      ],
      [
        [url, '--secret', SECRET, '--count-url', countUrl.replace('count', 'hook')],
        /^--count-url http\S+ cannot be read: it answers 401/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await run([...args, '--json']);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(line);
      expect(stderr.endsWith('\n') && stderr.indexOf('\n') === stderr.length - 1).toBe(true);
    }
  }, 60_000);
});
