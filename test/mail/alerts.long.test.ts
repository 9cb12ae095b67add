import { expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { freePort } from '../support/program.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { mailOf, operator, outbox, owner, subjectsTo } from './support.ts';

test('the first undelivered event alerts the owners at once, later ones after the interval, with their count', async () => {
  const service = await startService({ env: { SERVICE_MAIL_ALERT_SECONDS: '8' } });
  const port = await freePort();
  const merchant = await service.merchant({ webhookUrl: `https://127.0.0.1:${port}/hook` });
  await owner(service, merchant, 'dona@shop.pt');
  await merchant.pay({ orderId: 'A' });
  const alerts = () => subjectsTo(service, 'dona@shop.pt');
  await until(async () => (await alerts()).length === 1, 'the first alert', 30_000);
  expect(await alerts()).toEqual(['Test Shop: 1 notificação não entregue à loja']);
  await Promise.all([merchant.pay({ orderId: 'B' }), merchant.pay({ orderId: 'C' })]);
  await until(async () => (await alerts()).length === 2, 'the second alert', 30_000);
  const rows = (await outbox(service)).filter(({ reader }) => reader === '');
  const [first, second] = rows.map(({ planned_at }) => planned_at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(8000);
});

test('operators learn that an acquirer is unavailable, and that it is back', async () => {
  const bank = await startTcpProxy(await freePort());
  const service = await startService({
    env: { SERVICE_BANK_ALERT_SECONDS: '1', SERVICE_IFTHENPAY_URL: `http://127.0.0.1:${bank.port}` },
  });
  await operator(service, 'op@x.pt');
  const down = await mailOf(service, 'op@x.pt', 'alert-bank');
  expect(down.subject).toBe('A ifthenpay está indisponível');
  bank.point(Number(new URL(service.sandboxUrl).port));
  const isBack = async () =>
    (await subjectsTo(service, 'op@x.pt')).includes('A ifthenpay voltou a responder');
  await until(isBack, 'the second alert', 60_000);
});
