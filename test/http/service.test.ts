import { expect, test } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { startService } from '../support/harness.ts';

test('a running service serves its health, metrics, OpenAPI document and documentation', async () => {
  const service = await startService();
  const { url } = service;
  const merchant = await service.merchant();
  await merchant.post('/payments/mbway', { transactionId: await merchant.init(), phoneNumber: '911000001' });

  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(url + path)).headers.get('cache-control'), path).toBe('no-store');
  }
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok', version: VERSION });
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([
    200,
    { status: 'ready', checks: { deliveries: {} } },
  ]);

  const metrics = await (await fetch(`${url}/metrics`)).text();
  const counted =
    'pcs_http_request_duration_seconds_count{route="/api/v1/payments/mbway",method="POST",status="200"} 1';
  expect(metrics).toContain(counted);
  for (const [, name] of metrics.matchAll(/^# TYPE (\S+)/gm)) expect(name).toMatch(/^pcs_/);
  expect(metrics).toMatch(/pcs_bank_call_duration_seconds_count\{operation="[^"]+",outcome="accepted"\} 1/);

  const document = await fetch(`${url}/api/v1/openapi.json`);
  expect([document.status, document.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(document.headers.get('x-request-id')).toBeTruthy();

  const page = await fetch(`${url}/docs`);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  const script = await fetch(`${url}/docs/assets/swagger-ui-bundle.js`);
  expect([script.status, script.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600']);
});
