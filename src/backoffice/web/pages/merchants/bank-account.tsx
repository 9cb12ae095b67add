import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ACQUIRER_NAMES, ACQUIRERS, type Acquirer } from '../../../../kernel/acquirer.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Opener } from '../../ui/opener.tsx';
import { Section } from '../../ui/section.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Hint, Soft } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import { BankForm } from './bank-form.tsx';
import { BANK_TEXTS } from './bank-texts.ts';
import type { Account, Bank, Method, Route, ShownMerchant } from './types.ts';

/** The merchant's bank accounts and routes, with buttons to change them. */
export function BankAccount({ merchant }: { readonly merchant: ShownMerchant }) {
  const { bank, merchantId, name } = merchant;
  return (
    <>
      <Section title={BANK_TEXTS.bank}>
        <Accounts accounts={[...bank.own, ...replacing(bank)]} bank={bank} />
        <Opener
          trigger={
            <Button variant="default" mt="md">
              {BANK_TEXTS.setOwn}
            </Button>
          }
        >
          {(close) => (
            <BankForm merchantId={merchantId} name={name} standard={bank.standard} onClose={close} />
          )}
        </Opener>
      </Section>
      {bank.routes !== null && (
        <Section title={BANK_TEXTS.routes}>
          <Stack gap="sm">
            <RouteLine merchant={merchant} method="mbway" />
            <RouteLine merchant={merchant} method="multibanco" />
          </Stack>
        </Section>
      )}
    </>
  );
}

/** The default accounts at acquirers where the merchant has no account. */
function replacing({ own, defaults }: Bank): Account[] {
  return defaults.filter(
    ({ acquirer, current }) => current && !own.some((one) => one.current && one.acquirer === acquirer),
  );
}

interface AccountsProps {
  readonly accounts: readonly Account[];
  readonly bank: Bank;
}

/** Accounts without their keys. */
export function Accounts({ accounts, bank }: AccountsProps) {
  if (accounts.length === 0) return <p>{BANK_TEXTS.noAccount}</p>;
  return (
    <Stack gap="md">
      {accounts.map((account) => (
        <AccountFacts
          key={account.accountId}
          account={account}
          kind={bank.own.includes(account) ? BANK_TEXTS.ownAccount : BANK_TEXTS.defaultAccount}
        />
      ))}
    </Stack>
  );
}

function AccountFacts({ account, kind }: { readonly account: Account; readonly kind: string }) {
  const { acquirer, current, createdAt, listReadAt } = account;
  return (
    <div>
      <strong>{ACQUIRER_NAMES[acquirer]}</strong>{' '}
      <Soft>{current ? kind : `${kind}, ${BANK_TEXTS.replaced}`}</Soft>
      <Facts
        items={[
          [BANK_TEXTS.since, <Time key="created" at={createdAt} />],
          [
            BANK_TEXTS.listRead,
            listReadAt === null ? BANK_TEXTS.notYet : <Time key="read" at={listReadAt} as="ago" />,
          ],
        ]}
      />
    </div>
  );
}

interface RouteProps {
  readonly merchant: ShownMerchant;
  readonly method: Method;
}

function RouteLine({ merchant, method }: RouteProps) {
  const { bank } = merchant;
  const route = bank.routes?.[method];
  if (route === undefined) return null;
  const { acquirer, fallback } = route;
  const hasAccount = accountsAt(bank, acquirer).length > 0;
  return (
    <Group justify="space-between" align="flex-start" wrap="wrap">
      <div>
        <strong>{BANK_TEXTS.methods[ROUTED[method]]}</strong>: {ACQUIRER_NAMES[acquirer]}
        <Text fz="0.88rem" {...(hasAccount ? { c: 'dimmed' } : { c: 'var(--warn)', fw: 600 })}>
          {hasAccount
            ? fallback === null
              ? BANK_TEXTS.noFallback
              : BANK_TEXTS.fallbackAt(ACQUIRER_NAMES[fallback])
            : BANK_TEXTS.missing(ACQUIRER_NAMES[acquirer])}
        </Text>
      </div>
      <Opener
        trigger={
          <SmallButton aria-label={BANK_TEXTS.changeRoute(BANK_TEXTS.methods[ROUTED[method]])}>
            {BANK_TEXTS.change}
          </SmallButton>
        }
      >
        {(close) => (
          <RouteForm merchantId={merchant.merchantId} method={method} route={route} onClose={close} />
        )}
      </Opener>
    </Group>
  );
}

function accountsAt({ own, defaults }: Bank, acquirer: Acquirer): Account[] {
  return [...own, ...defaults].filter((account) => account.current && account.acquirer === acquirer);
}

const ROUTED = { mbway: 'MBWAY', multibanco: 'REFERENCE' } as const;

interface RouteFormProps {
  readonly merchantId: string;
  readonly method: Method;
  readonly route: Route;
  readonly onClose: () => void;
}

function RouteForm({ merchantId, method, route, onClose }: RouteFormProps) {
  const set = useChange(trpc.merchants.setRoute, { done: BANK_TEXTS.routeSaved });
  const [shown] = useState(route);
  const [acquirer, setAcquirer] = useState<Acquirer>(route.acquirer);
  const [fallback, setFallback] = useState<Acquirer | null>(route.fallback);
  const choices = ACQUIRERS.map((value) => ({ value, label: ACQUIRER_NAMES[value] }));
  const others = choices.filter(({ value }) => value !== acquirer);
  const save = submitting(async () => {
    await set.mutateAsync({ merchantId, method: ROUTED[method], acquirer, fallback, shown });
    onClose();
  });
  return (
    <Dialog title={BANK_TEXTS.routeTitle(BANK_TEXTS.methods[ROUTED[method]])} onClose={onClose}>
      <DialogForm onSubmit={save} change={set} label={BANK_TEXTS.save} onCancel={onClose}>
        <Hint>{BANK_TEXTS.routeText}</Hint>
        <Select
          label={BANK_TEXTS.acquirer}
          data={choices}
          allowDeselect={false}
          value={acquirer}
          onChange={(value) => {
            setAcquirer(value ?? acquirer);
            if (fallback === value) setFallback(null);
          }}
        />
        <Select
          label={BANK_TEXTS.fallback}
          description={BANK_TEXTS.fallbackText[method]}
          data={[{ value: '', label: BANK_TEXTS.none }, ...others]}
          allowDeselect={false}
          value={fallback ?? ''}
          onChange={(value) => setFallback(value || null)}
        />
      </DialogForm>
    </Dialog>
  );
}
