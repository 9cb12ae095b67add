import { Alert, Box, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { TbAlertTriangle } from 'react-icons/tb';
import { format } from '../../lib/format.ts';
import { saveAs } from '../../lib/save-as.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import css from './refunds.module.css';
import { useReceiptChange } from './source.ts';
import { TEXTS } from './texts.ts';
import type { Exported } from './types.ts';

interface Props {
  readonly onShow: (receiptId: string) => void;
  readonly onClose: () => void;
}

/** The dialog that downloads the transfer file of the refunds that await their transfer. */
export default function ExportDialog({ onShow, onClose }: Props) {
  const words = TEXTS.export;
  const make = useReceiptChange(trpc.refunds.exportTransfers);
  const [again, setAgain] = useState(false);
  const submit = submitting(async () => save(await make.mutateAsync({ again })));
  return (
    <Dialog title={words.button} onClose={onClose}>
      {make.data === undefined ? (
        <DialogForm onSubmit={submit} change={make} label={words.confirm} onCancel={onClose}>
          <Text>{words.text}</Text>
          <Text>{words.once}</Text>
          <Checkbox
            label={words.again}
            description={again ? words.againWarning : undefined}
            checked={again}
            onChange={(event) => setAgain(event.currentTarget.checked)}
          />
        </DialogForm>
      ) : (
        <Result
          made={make.data}
          onClose={onClose}
          onShow={(receiptId) => {
            onClose();
            onShow(receiptId);
          }}
        />
      )}
    </Dialog>
  );
}

function Result({ made, onShow, onClose }: Props & { readonly made: Exported }) {
  const said = TEXTS.export;
  const { count, totalCents, left, leftCount, repeatedCount } = made;
  return (
    <Stack>
      <Text role="status">
        {count === 0 ? said.none : said.made(format.count(count), count === 1, format.euro(totalCents))}
      </Text>
      {repeatedCount > 0 && (
        <Alert color="red" icon={<TbAlertTriangle size={18} aria-hidden />}>
          {said.repeated(format.count(repeatedCount), repeatedCount === 1)}
        </Alert>
      )}
      {leftCount > 0 && (
        <Box px={16} py={12} bg="var(--warn-ground)" bd="1px solid var(--warn-line)" bdrs={12}>
          <p>{said.left(format.count(leftCount), leftCount === 1)}</p>
          <Box component="ul" mt={6} pl={18} style={{ listStyle: 'disc' }}>
            {left.map(({ refundId, receiptId, orderId, amountCents }) => (
              <li key={refundId}>
                <button type="button" className={css.link} onClick={() => onShow(receiptId)}>
                  {orderId ?? TEXTS.noOrder} · {format.euro(amountCents)}
                </button>
              </li>
            ))}
          </Box>
        </Box>
      )}
      <Group justify="flex-end">
        {made.xml !== null && (
          <Button variant="default" onClick={() => save(made)}>
            {said.save}
          </Button>
        )}
        <Button onClick={onClose}>{TEXTS.done}</Button>
      </Group>
    </Stack>
  );
}

function save({ xml, fileName }: Exported): void {
  if (xml !== null) saveAs(new Blob([xml], { type: 'application/xml' }), fileName);
}
