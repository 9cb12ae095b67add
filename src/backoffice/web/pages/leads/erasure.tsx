import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconEraser } from '@tabler/icons-react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Section } from '../../ui/section.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';
import type { ShownLead } from './types.ts';

/** Erases a person's data, with progress. */
export function Erasure({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { progress } = lead;
  if (progress === null) return <Erase lead={lead} />;
  const all = progress.transactionsDone + progress.transactionsLeft;
  const said =
    progress.state === 'running'
      ? words.running(format.count(progress.transactionsDone), format.count(all))
      : progress.state === 'waiting'
        ? words.waiting
        : words.done(format.time(progress.startedAt));
  return (
    <Section live>
      <Alert color="gray" icon={<IconEraser size={18} aria-hidden />}>
        {said}
      </Alert>
    </Section>
  );
}

function Erase({ lead }: { readonly lead: ShownLead }) {
  const words = useTexts(TEXTS);
  const erase = useChange((trpc) => trpc.leads.erase, { done: words.eraseStarted });
  return (
    <Section>
      <Confirm
        title={words.eraseTitle}
        confirmLabel={words.eraseDo}
        danger
        onConfirm={() => erase.mutateAsync({ leadId: lead.leadId })}
        trigger={
          <Button variant="default" leftSection={<IconEraser size={16} aria-hidden />}>
            {words.erase}
          </Button>
        }
      >
        <Stack gap="sm">
          <Text fw={600}>{lead.name ?? lead.email ?? lead.phone}</Text>
          <Text>{words.eraseGone}</Text>
          <Text>{words.eraseStays}</Text>
          <Text c="dimmed" size="sm">
            {words.eraseOther}
          </Text>
        </Stack>
      </Confirm>
      <Text c="dimmed" size="sm" mt={6}>
        {words.eraseWhy}
      </Text>
    </Section>
  );
}
