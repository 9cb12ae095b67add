import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startWithMerchant } from '../support/harness.ts';

const SECONDS = 10;
const QUERIES_PER_SECOND_MAX = 5;

test('an idle process sends at most five queries per second', async () => {
  const sent: string[] = [];
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  const { service, merchant } = await startWithMerchant({ env: { SERVICE_RECONCILE_SECONDS: '300' } });
  await merchant.pay();
  // The jobs that follow a payment and a start.
  await wait(11_000);
  spy.mockClear();
  await wait(SECONDS * 1000);
  // Files that ran before in this process may have left a service that counts as crashed.
  const own = new URL(service.app.deps.settings.databaseUrl).pathname.slice(1);
  for (const [i, [query]] of (spy.mock.calls as unknown as [unknown][]).entries())
    if ((spy.mock.contexts[i] as { database?: string }).database === own) sent.push(textOf(query));
  expect(sent.length).toBeGreaterThan(0);
  const counts = Object.entries(Object.groupBy(sent, (text) => text)).map(([text, all]) => [
    all?.length,
    text,
  ]);
  expect(sent.length, JSON.stringify(counts)).toBeLessThanOrEqual(SECONDS * QUERIES_PER_SECOND_MAX);
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String((query as { text?: unknown } | null)?.text);
}
