import { Anchor, Box, Button, Text } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { TbCheck, TbCopy } from 'react-icons/tb';
import { useMerchant, useServiceUrl, useSession } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { CopyStatus } from '../../ui/copyable.tsx';
import { notifyFault } from '../../ui/notify.ts';
import css from './developers.module.css';
import { TEXTS } from './texts.ts';
import { type Key, useKeys } from './use-keys.ts';

/** A phone of the sandbox that accepts each payment at once. */
const TEST_PHONE = '911 000 001';

/** How to call the API: the header, a first call with the merchant's own key, and the sandbox's phones. */
export function TryIt() {
  const { sandbox, sandboxUrl } = useSession();
  const serviceUrl = useServiceUrl();
  const { role, active } = useMerchant();
  const apiKey = useKeys().data?.keys.find((key) => key.state === 'current' && key.name === null);
  return (
    <Card title={TEXTS.use}>
      <Text c="dimmed">{TEXTS.useHint}</Text>
      <pre className={css.header}>Authorization: Bearer sk_…</pre>
      <Text c="dimmed" mt={16}>
        {TEXTS.tryHint}
      </Text>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard can only scroll what it can reach */}
      <pre className={css.header} tabIndex={0}>
        {commandWith(serviceUrl, apiKey?.masked ?? 'sk_…')}
      </pre>
      {role === 'owner' && active && apiKey !== undefined && (
        <Box mt={16}>
          <CopyCommand keyId={apiKey.keyId} />
        </Box>
      )}
      {sandbox && (
        <Text c="dimmed" mt={16}>
          {TEXTS.testPhone(TEST_PHONE)}{' '}
          {sandboxUrl !== null && (
            <Anchor href={sandboxUrl} underline="always" target="_blank" rel="noreferrer">
              {TEXTS.testPhones}
            </Anchor>
          )}
        </Text>
      )}
    </Card>
  );
}

/** Copies the call with the key in plain text, after the password when it is due. */
function CopyCommand({ keyId }: Pick<Key, 'keyId'>) {
  const { merchantId } = useMerchant();
  const serviceUrl = useServiceUrl();
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const reveal = useMutation(
    trpc.keys.reveal.mutationOptions({
      onSuccess: ({ apiKey }) => copy(commandWith(serviceUrl, apiKey)),
      onError: notifyFault,
    }),
  );
  const Icon = copied ? TbCheck : TbCopy;
  return (
    <>
      <Button
        variant="default"
        leftSection={<Icon size={16} aria-hidden />}
        loading={reveal.isPending}
        onClick={() => copied || reveal.mutate({ merchantId, keyId })}
      >
        {copied ? TEXTS.copied : TEXTS.tryCopy}
      </Button>
      <CopyStatus text={copied ? TEXTS.copied : null} />
    </>
  );
}

function commandWith(serviceUrl: string, key: string): string {
  return `curl -sS ${serviceUrl}/api/v1/payments/methods -H 'Authorization: Bearer ${key}'`;
}
