import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { Facts } from '../../ui/facts.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { BankForm } from './bank-form.tsx';
import { TEXTS } from './texts.ts';
import type { ShownMerchant } from './types.ts';

/** The merchant's bank account, and a button to set its own. */
export function BankAccount({ merchant }: { readonly merchant: ShownMerchant }) {
  const words = useTexts(TEXTS);
  const [setting, setSetting] = useState(false);
  const { ownAccount } = merchant;
  return (
    <Section title={words.bank}>
      <AccountFacts
        kind={ownAccount === null ? words.defaultAccount : words.ownAccount}
        account={ownAccount ?? merchant.defaultAccount}
      />
      <Button variant="default" mt="md" onClick={() => setSetting(true)}>
        {ownAccount === null ? words.setOwn : words.replaceOwn}
      </Button>
      {setting && (
        <BankForm merchantId={merchant.merchantId} name={merchant.name} onClose={() => setSetting(false)} />
      )}
    </Section>
  );
}

interface AccountProps {
  readonly kind: string;
  readonly account: ShownMerchant['defaultAccount'];
}

/** An account without its keys. */
export function AccountFacts({ kind, account }: AccountProps) {
  const words = useTexts(TEXTS);
  if (account === null) return <span>{words.noAccount}</span>;
  const { createdAt, listReadAt } = account;
  return (
    <Facts
      items={[
        [words.account, kind],
        [words.created, <Time key="created" at={createdAt} />],
        [words.listRead, listReadAt === null ? words.never : <Time key="read" at={listReadAt} as="ago" />],
      ]}
    />
  );
}
