import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './account.module.css';
import { TEXTS } from './texts.ts';

/** The number of unused recovery codes, and the button that replaces them. */
export function Recovery({ onMade }: { readonly onMade: (codes: readonly string[]) => void }) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const query = useQuery(trpc.account.recoveryCodes.queryOptions());
  const renew = useChange((trpc) => trpc.account.recoveryRenew);
  const make = async () => onMade((await renew.mutateAsync()).recoveryCodes);
  return (
    <div className={`${css.row} ${css.below}`}>
      <Text c="dimmed" className={css.grow}>
        {query.data !== undefined && words.codesLeft(query.data.left)}
      </Text>
      <Confirm
        title={words.renewTitle}
        confirmLabel={words.renew}
        onConfirm={make}
        trigger={<Button variant="default">{words.renew}</Button>}
      >
        {words.renewText}
      </Confirm>
    </div>
  );
}
