import { Button, Text } from '@mantine/core';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant, useSession } from '../../lib/session.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { useChange } from '../../ui/use-change.ts';
import css from './team.module.css';
import { TEXTS } from './texts.ts';

interface Props {
  readonly required: boolean;
  /** The members without two-factor authentication. */
  readonly without: number;
}

/** Requires two-factor authentication of all team members, or no longer does. */
export function Factor({ required, without }: Props) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { user } = useSession();
  const set = useChange((trpc) => trpc.team.setFactor, {
    done: required ? words.factorFreed : words.factorRequired,
    also: ['session'],
  });
  const self = user?.totp !== true && user?.passkeys === 'none' && !user.operator;
  return (
    <Card title={words.factor}>
      <div className={css.factor}>
        <Text c="dimmed" className={css.grow}>
          {required ? words.factorOn : words.factorOff(without)}
        </Text>
        <Confirm
          title={required ? words.freeTitle : words.requireTitle}
          confirmLabel={required ? words.free : words.require}
          danger={required}
          onConfirm={() => set.mutateAsync({ merchantId, required: !required })}
          trigger={<Button variant="default">{required ? words.free : words.require}</Button>}
        >
          {required ? words.freeText : self ? words.requireSelfText : words.requireText}
        </Confirm>
      </div>
    </Card>
  );
}
