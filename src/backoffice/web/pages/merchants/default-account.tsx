import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { AccountFacts } from './bank-account.tsx';
import { BankForm } from './bank-form.tsx';
import { TEXTS } from './texts.ts';

/** Sets the default bank account. */
export function DefaultAccount() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const [opened, setOpened] = useState(false);
  const [setting, setSetting] = useState(false);
  const query = useQuery(trpc.merchants.defaultAccount.queryOptions(undefined, { enabled: opened }));
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {words.changeDefault}
      </Button>
      <Dialog opened={opened && !setting} onClose={() => setOpened(false)} title={words.defaultTitle}>
        <Stack>
          <Text c="dimmed">{words.defaultText}</Text>
          <Loaded query={query} skeleton={<LinesSkeleton lines={3} height={24} />}>
            {(account) => (
              <>
                <AccountFacts kind={words.defaultAccount} account={account} />
                <Button variant="default" onClick={() => setSetting(true)}>
                  {account === null ? words.setDefault : words.replaceDefault}
                </Button>
              </>
            )}
          </Loaded>
        </Stack>
      </Dialog>
      {setting && <BankForm merchantId={null} name={words.defaultTitle} onClose={() => setSetting(false)} />}
    </>
  );
}
