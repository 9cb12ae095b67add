import { expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { pageOpener } from './page-kit.ts';
import { sandbox } from './support.ts';

const open = pageOpener();

test('a customer accepts a push on the phone and pays a reference at the ATM, in English', async () => {
  const bank = await sandbox({ clock: systemClock });
  const { page, troubles, hosts } = await open(bank.url, 'en-GB');
  await page.getByText('TEST MONEY', { exact: true }).waitFor();
  const { RequestId } = (await bank.push('912345678')).body;
  const card = page.getByRole('article', { name: 'Loja do Bairro 2041' });
  await card.getByText('Time left').waitFor();
  expect(await card.getByText('12,50 €').count()).toBe(1);
  await card.getByRole('button', { name: 'Accept' }).click();
  await card.getByText('Paid', { exact: false }).waitFor();
  expect(await card.getByRole('button', { name: 'Accept' }).count()).toBe(0);
  expect((await bank.status(RequestId)).Status).toBe('000');

  const made = (await bank.reference()).body;
  await page.getByLabel('Entity').fill(String(made.Entity));
  await page.getByLabel('Reference').fill(String(made.Reference));
  await page.getByLabel('Amount').fill('45,00');
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.getByText('Payment made').waitFor();
  expect((await bank.record({ entity: 'MB' })).map((row) => Number(row.amount))).toEqual([45]);
  expect(troubles).toEqual([]);
  expect([...hosts].filter((origin) => origin !== bank.url && origin !== 'null')).toEqual([]);
});

test('a Portuguese browser gets the Portuguese page, and the language can be changed', async () => {
  const bank = await sandbox({ clock: systemClock });
  const { page } = await open(bank.url, 'pt-PT');
  await page.getByText('DINHEIRO DE TESTE', { exact: true }).waitFor();
  const { RequestId } = (await bank.push('912345678')).body;
  await page.getByRole('button', { name: 'Aceitar' }).waitFor();
  await page.getByRole('button', { name: 'Recusar' }).click();
  await page.getByText('Recusado', { exact: false }).first().waitFor();
  expect((await bank.status(RequestId)).Status).toBe('020');
  await page.getByRole('button', { name: 'EN' }).click();
  await page.getByText('TEST MONEY', { exact: true }).waitFor();
});
