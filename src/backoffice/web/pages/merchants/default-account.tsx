import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { trpc } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Accounts } from './bank-account.tsx';
import { BankForm } from './bank-form.tsx';
import { BANK_TEXTS } from './bank-texts.ts';

/** The dialog that shows and sets the default bank accounts. */
export default function DefaultAccount({ onClose }: { readonly onClose: () => void }) {
  const [setting, setSetting] = useState(false);
  const query = useQuery(trpc.merchants.defaultBank.queryOptions());
  return (
    <>
      <Dialog opened={!setting} onClose={onClose} title={BANK_TEXTS.defaultTitle}>
        <Stack>
          <Text c="dimmed">{BANK_TEXTS.defaultText}</Text>
          <Loaded query={query} skeleton={<LinesSkeleton lines={3} height={24} />}>
            {(bank) => (
              <>
                <Accounts accounts={bank.defaults} bank={bank} />
                <Text>{BANK_TEXTS.standard(ACQUIRER_NAMES[bank.standard])}</Text>
                <Button variant="default" onClick={() => setSetting(true)}>
                  {BANK_TEXTS.setDefault}
                </Button>
              </>
            )}
          </Loaded>
        </Stack>
      </Dialog>
      {setting && query.data !== undefined && (
        <BankForm
          merchantId={null}
          name={BANK_TEXTS.defaultTitle}
          standard={query.data.standard}
          onClose={() => setSetting(false)}
        />
      )}
    </>
  );
}
