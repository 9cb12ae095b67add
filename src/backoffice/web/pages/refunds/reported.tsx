import { Box, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ACQUIRER_NAMES } from '../../../../kernel/acquirer.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { ConfirmWithNote } from '../../ui/confirm-with-note.tsx';
import { FailedOnly } from '../../ui/loaded.tsx';
import { Money } from '../../ui/money.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Hint, Soft } from '../../ui/soft.tsx';
import { Tone } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import css from './refunds.module.css';
import { REPORTED_TEXTS } from './reported-texts.ts';
import { useReceiptChange } from './source.ts';
import type { Reported } from './types.ts';

interface Props {
  readonly onShow: (receiptId: string) => void;
}

/** The refunds that the bank reports and this service did not make; renders nothing without any. */
export function ReportedRefunds({ onShow }: Props) {
  const reported = useQuery(trpc.refunds.reported.queryOptions());
  if (reported.data === undefined) return <FailedOnly query={reported} />;
  if (reported.data.length === 0) return null;
  return (
    <Card title={REPORTED_TEXTS.title} actions={<Tone tone="warn">{REPORTED_TEXTS.check}</Tone>}>
      <Hint>{REPORTED_TEXTS.text}</Hint>
      <Box component="ul" mt={12}>
        {reported.data.map((report) => (
          <li key={report.reportId} className={css.report}>
            <Facts report={report} onShow={onShow} />
            <Group gap="sm">
              {report.receipt !== null && report.amountCents !== null && <Act report={report} act="record" />}
              <Act report={report} act="dismiss" />
            </Group>
          </li>
        ))}
      </Box>
    </Card>
  );
}

function Facts({ report, onShow }: Props & { readonly report: Reported }) {
  const { amountCents, acquirer, receipt, reportedAt, requestId } = report;
  return (
    <Stack gap={2} miw={0}>
      {amountCents === null ? <Text fw={640}>{REPORTED_TEXTS.noAmount}</Text> : <Money cents={amountCents} />}
      {receipt === null ? (
        <span>{REPORTED_TEXTS.noReceipt(requestId)}</span>
      ) : (
        <button type="button" className={css.link} onClick={() => onShow(receipt.id)}>
          {[receipt.merchantName, receipt.orderId ?? receipt.id].filter(Boolean).join(' · ')}
        </button>
      )}
      <Soft>
        {ACQUIRER_NAMES[acquirer]} · <Time at={reportedAt} />
      </Soft>
    </Stack>
  );
}

function Act({ report, act }: { readonly report: Reported; readonly act: 'record' | 'dismiss' }) {
  const words = REPORTED_TEXTS[act];
  const record = useReceiptChange(trpc.refunds.recordReported, { done: words.done });
  const dismiss = useReceiptChange(trpc.refunds.dismissReported, { done: words.done });
  return (
    <ConfirmWithNote
      title={act === 'dismiss' ? REPORTED_TEXTS.dismiss.title : words.button}
      confirmLabel={words.button}
      note={{
        label: REPORTED_TEXTS.note,
        description: act === 'record' ? REPORTED_TEXTS.noteRead : undefined,
        placeholder: words.placeholder,
        required: true,
      }}
      effects={words.effects}
      onConfirm={(note) =>
        (act === 'record' ? record : dismiss).mutateAsync({ reportId: report.reportId, note })
      }
      trigger={<SmallButton>{words.button}</SmallButton>}
    />
  );
}
