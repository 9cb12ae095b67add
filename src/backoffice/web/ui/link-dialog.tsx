import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { texts } from '../lib/i18n.ts';
import { useServiceUrl, useSession } from '../lib/session.ts';
import { Copyable } from './copyable.tsx';
import { Dialog } from './dialog.tsx';

const TEXTS = texts({
  text: [
    (email: string) =>
      `Send this link to ${email} privately. It works once, for 24 hours, and is shown only now.`,
    (email) =>
      `Envie este link a ${email} por um meio privado. Funciona uma vez, durante 24 horas, e só é mostrado agora.`,
  ],
  mailed: [
    (email: string) =>
      `The link was sent to ${email} by email. It works once, for 24 hours. To pass it on yourself, copy it now.`,
    (email) =>
      `O link foi enviado para ${email} por e-mail. Funciona uma vez, durante 24 horas. Para o entregar pessoalmente, copie-o agora.`,
  ],
  link: ['the link', 'o link'],
});

/** A one-time link for one person; `path` opens it. */
export interface MadeLink {
  readonly email: string;
  readonly path: string;
}

interface Props {
  readonly title: string;
  /** The title once the link exists. */
  readonly madeTitle: string;
  readonly onClose: () => void;
  /** The form that creates the link. */
  readonly children: (onMade: (made: MadeLink) => void) => ReactNode;
}

/** A dialog that creates a one-time link and shows it once. */
export function LinkDialog({ title, madeTitle, onClose, children }: Props) {
  const { mail } = useSession();
  const serviceUrl = useServiceUrl();
  const [made, setMade] = useState<MadeLink | null>(null);
  return (
    <Dialog title={made === null ? title : madeTitle} onClose={onClose} guarded={made !== null}>
      {made === null ? (
        children(setMade)
      ) : (
        <Stack>
          <Text>{mail ? TEXTS.mailed(made.email) : TEXTS.text(made.email)}</Text>
          <Box px={14} py={10} bg="var(--ground)" bd="1px solid var(--line)" bdrs={10}>
            <Copyable value={serviceUrl + made.path} label={TEXTS.link} />
          </Box>
          <Group justify="flex-end">
            <Button onClick={onClose}>{TEXTS.done}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}
