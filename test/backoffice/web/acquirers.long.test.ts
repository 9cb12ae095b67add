import { expect, test, vi } from 'vitest';
import { cents } from '../../../src/kernel/money.ts';
import { reportRefund } from '../../../src/payments/refunds/report-refund.ts';
import { openPlatform } from './operator-kit.ts';
import { expectSound, shoot } from './support.ts';

vi.setConfig({ testTimeout: process.env.SHOTS === undefined ? 60_000 : 180_000 });

const platform = await openPlatform();

test('an operator sees why a route is refused, sets an account at EuPago and a fallback', async () => {
  const { operatorAt } = platform;
  const page = await operatorAt('merchants', { language: 'pt', phone: true });
  await page.getByRole('button', { name: 'Padaria da Praça' }).click();
  const drawer = page.getByRole('dialog').first();
  await drawer.getByText('Contas bancárias').waitFor();
  await drawer.getByRole('button', { name: 'Alterar a rota de MB WAY' }).click();
  const route = page.getByRole('dialog', { name: 'Rota de MB WAY' });
  await route.getByRole('combobox', { name: 'Adquirente' }).click();
  await page.getByRole('option', { name: 'EuPago' }).click();
  await route.getByRole('button', { name: 'Guardar' }).click();
  await route.getByText('Este comerciante não tem conta na EuPago.').waitFor();
  await expectSound(page, 'route-refused-pt-390');
  await page.keyboard.press('Escape');
  const focused = () => page.evaluate('document.activeElement.ariaLabel');
  await expect.poll(focused).toBe('Alterar a rota de MB WAY');
  await page.keyboard.press('Enter');
  await route.getByRole('button', { name: 'Cancelar' }).press('Enter');
  await expect.poll(focused).toBe('Alterar a rota de MB WAY');

  await drawer.getByRole('button', { name: 'Definir conta própria' }).click();
  const form = page.getByRole('dialog', { name: 'Conta bancária: Padaria da Praça' });
  await form.getByRole('combobox', { name: 'Adquirente' }).click();
  await page.getByRole('option', { name: 'EuPago' }).click();
  await form.getByLabel('Chave de API').fill('demo-4711-4711-4711-4711');
  await form.getByLabel('ID de cliente').fill('padaria');
  await form.getByLabel('Segredo de cliente').fill('Segredo.Que.Nao.Volta');
  await form.getByLabel('Chave de webhook', { exact: true }).fill('curta');
  await form.getByRole('button', { name: 'Guardar' }).click();
  await form.getByText('Exatamente 32 bytes').nth(1).waitFor();
  await expectSound(page, 'bank-eupago-pt-390');
  await form.getByLabel('Chave de webhook', { exact: true }).fill('0123456789abcdef0123456789abcdef');
  await form.getByRole('button', { name: 'Guardar' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Conta guardada.' });
  // It lies over the drawer's last buttons, and stays while the pointer is on it.
  await notice.getByRole('button', { name: 'Fechar' }).click();
  await notice.waitFor({ state: 'detached' });
  await drawer.getByText('Conta própria', { exact: true }).waitFor();
  expect(await page.content()).not.toContain('Segredo.Que.Nao.Volta');

  await drawer.getByRole('button', { name: 'Alterar a rota de Multibanco' }).click();
  const second = page.getByRole('dialog', { name: 'Rota de Multibanco' });
  await second.getByRole('combobox', { name: 'Alternativa' }).click();
  await page.getByRole('option', { name: 'ifthenpay' }).click();
  await second.getByRole('button', { name: 'Guardar' }).click();
  await drawer.getByText('Alternativa: ifthenpay').waitFor();
  await expectSound(page, 'bank-routes-pt-390');
});

test('a refund that the bank made outside is on the System page, and is recorded or dismissed', async () => {
  const { office, operatorAt } = platform;
  const { deps } = office.service.app;
  const receipt = await deps.db.read.selectFrom('receipts').selectAll().executeTakeFirstOrThrow();
  for (const identity of ['one', 'two']) {
    const of = { accountIds: [receipt.account_id], requestId: receipt.request_id, amount: cents(500) };
    await deps.db.unit((tx) => reportRefund(tx, deps, { identity, ...of }));
  }
  const page = await operatorAt('system', { language: 'pt', phone: true });
  await page.getByText('O banco comunica reembolsos que este serviço não fez.').waitFor();
  await page.getByText('No máximo, 1% dos pedidos').waitFor();
  await shoot(page, 'system-reported-pt-390');
  await page.getByRole('link', { name: 'Abrir reembolsos' }).click();
  await page.getByText('Reembolsos feitos fora deste serviço').waitFor();
  await expectSound(page, 'refunds-reported-pt-390');
  const wide = await operatorAt('refunds');
  await wide.getByText('Refunds made outside this service').waitFor();
  await expectSound(wide, 'refunds-reported-en-1280');
  await wide.getByRole('button', { name: 'Record refund' }).first().click();
  const record = wide.getByRole('dialog', { name: 'Record refund' });
  await record.getByText('The merchant can read this note.').waitFor();
  await record.getByLabel('How do you know?').fill('Seen in the back office of the bank');
  await expectSound(wide, 'refunds-record-en-1280');
  await record.getByRole('button', { name: 'Record refund' }).click();
  await wide.getByText('Refund recorded.').waitFor();
  const reports = wide.getByRole('region', { name: 'Refunds made outside this service' });
  await reports.getByRole('button', { name: 'Dismiss' }).click();
  const dismiss = wide.getByRole('dialog', { name: 'Dismiss report' });
  expect(await dismiss.getByText('The merchant can read this note.').count()).toBe(0);
  await dismiss.getByLabel('How do you know?').fill('The same refund, announced twice');
  await dismiss.getByRole('button', { name: 'Dismiss' }).click();
  await wide.getByText('Report dismissed.').waitFor();
  await wide.getByText('Refunds made outside this service').waitFor({ state: 'detached' });
});
