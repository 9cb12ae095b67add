import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createLink } from '../../src/checkout/links.ts';
import { cents } from '../../src/kernel/money.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { ORDER, startService } from '../support/harness.ts';
import { auditRows } from '../support/row-audit.ts';
import { NO_TERMS, postForm } from './support.ts';

/** The variable `CALLS` changes the number. */
const CALLS = Number(process.env.CALLS ?? 200);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '<script>alert(1)</script>',
    '"><img src=x>',
    '0',
    '1.5',
    '12,50',
    '-1',
    '1e9',
    '9'.repeat(300),
  ),
  fc.constantFrom(
    'https://shop.pt/ok?a=1',
    'https://shop.pt@evil.pt/',
    'http://shop.pt/',
    'javascript:alert(1)',
    '//evil.pt',
  ),
  fc.constantFrom(
    '911000001',
    '911000002',
    '911000005',
    '+351 912 345 678',
    '912345678\r\nX: y',
    'MBWAY',
    'REFERENCE',
  ),
);
const member = fc.oneof(text, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
const body = fc
  .record(
    Object.fromEntries(
      [
        ...['orderId', 'amount', 'currency', 'storeUrl', 'customer', 'items', 'successUrl', 'cancelUrl'],
        ...['methods', 'expiresAt', 'locale', '__proto__'],
      ].map((name) => [name, member]),
    ),
    { requiredKeys: [] },
  )
  .map((changes) => ({ ...ORDER, ...changes }));
const form = fc.dictionary(fc.constantFrom('method', 'phoneNumber', 'amount', 'x'), text, { maxKeys: 4 });

const plan = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    body: fc.oneof(body, fc.jsonValue()),
    key: fc.option(text),
  }),
  fc.record({ kind: fc.constant('read' as const), query: text }),
  fc.record({ kind: fc.constant('see' as const), at: fc.nat(5), query: text }),
  fc.record({
    kind: fc.constant('step' as const),
    at: fc.nat(5),
    form,
    origin: fc.constantFrom('null', 'https://evil.pt', ''),
  }),
);

test(
  'no call of the checkout gets a 500 or leads elsewhere, and no refused call changes a row',
  async () => {
    const folder = temporaryFolder();
    const service = await startService({
      folder,
      clock: fakeClock(Date.now()),
      env: { SERVICE_PHONE_PUSHES_PER_HOUR: '1000000', SERVICE_ADDRESS_PUSHES_PER_HOUR: '1000000' },
    });
    const merchant = await service.merchant({ name: '<b>"Loja"</b>' });
    const { url } = await merchant.trpc.checkout.createSession.mutate({ ...ORDER, orderId: '<i>1</i>' });
    const link = await createLink(service.app.deps, {
      merchantId: merchant.merchantId,
      title: '<u>"Bolo"</u>',
      ...NO_TERMS,
      min: cents(100),
    });
    const targets = [
      url,
      link.url,
      `${service.url}/pay/${'A'.repeat(22)}`,
      `${service.url}/pay/l/${'A'.repeat(22)}`,
    ];
    targets.push(`${service.url}/pay/%00`, `${url}/status`);
    const audit = await auditRows(await databaseUrl(folder, onTestFinished));
    onTestFinished(() => audit.close());
    const auth = { authorization: `Bearer ${merchant.apiKey}` };

    const send = (call: typeof plan extends fc.Arbitrary<infer T> ? T : never): Promise<Response> => {
      if (call.kind === 'read') {
        const query = new URLSearchParams({ sessionId: call.query });
        return fetch(`${service.url}/checkout/v1/sessions?${query}`, { headers: auth });
      }
      if (call.kind === 'create') {
        const key =
          call.key !== null && /^[\x20-\x7e]+$/.test(call.key) ? { 'idempotency-key': call.key } : {};
        const headers = { ...auth, ...key, 'content-type': 'application/json' };
        const sent = JSON.stringify(call.body);
        return fetch(`${service.url}/checkout/v1/sessions`, { method: 'POST', headers, body: sent });
      }
      const target = targets[call.at] ?? url;
      if (call.kind === 'see') return fetch(`${target}?${new URLSearchParams({ lang: call.query })}`);
      return postForm(target, call.form, call.origin === '' ? {} : { origin: call.origin });
    };

    await fc.assert(
      fc.asyncProperty(plan, async (call) => {
        const answer = await send(call);
        const shown = await answer.text();
        const changes = await audit.changes();
        const allowed = call.kind === 'step' ? [303, 404] : [200, 400, 403, 404];
        expect(allowed, shown).toContain(answer.status);
        if (answer.status >= 400) expect(changes).toEqual({});
        if (call.kind === 'see' && answer.status === 200) {
          if (!shown.startsWith('{')) expect(changes).toEqual({});
          expect(shown).not.toMatch(/<(b|i|u|script>alert|img src=x)>/);
        }
        if (answer.status === 303)
          expect(answer.headers.get('location')).toMatch(
            /^\/pay\/[\w%/-]+(\?lang=(pt|en)(&problem=amount)?)?$/,
          );
        if (call.kind === 'create' && answer.status >= 400) {
          const { code, error, requestId } = JSON.parse(shown);
          for (const member of [code, error, requestId]) expect(member).toEqual(expect.any(String));
        }
      }),
      { numRuns: CALLS, seed: SEED, includeErrorInReport: true },
    );
    expect(service.logged()).not.toMatch(/"level":(50|60)/);
  },
  60_000 + CALLS * 50,
);
