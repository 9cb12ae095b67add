import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { usePageBase } from '../lib/session.ts';

export function TransactionLink({ id, order }: { readonly id: string; readonly order: string }) {
  return (
    <Anchor component={Link} underline="always" fw={600} href={`${usePageBase()}/transactions/${id}`}>
      {order}
    </Anchor>
  );
}
