import { Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { format } from '../../lib/format.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { Secret } from '../../ui/secret.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import tones from '../../ui/tones.module.css';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';
import type { Webhook } from './types.ts';
import css from './webhook.module.css';

/** The webhook secret: reveal, copy and rotate. */
export function SigningSecret({ webhook }: { readonly webhook: Webhook }) {
  const words = TEXTS.secret;
  const owner = useMayChange();
  const { merchantId } = useMerchant();
  const [made, setMade] = useState<string | null>(null);
  const reveal = useMutation(trpc.webhook.revealSecret.mutationOptions());
  const show = async () => (await reveal.mutateAsync({ merchantId })).secret;
  return (
    <Card title={words.title} actions={owner && webhook.rotation === null && <Rotate onMade={setMade} />}>
      <Secret
        key={webhook.secretMasked}
        masked={webhook.secretMasked}
        reveal={owner ? show : undefined}
        label={words.label}
      />
      <Text mt={10} c="dimmed" fz="0.9rem" textWrap="pretty">
        {words.hint}
      </Text>
      {made !== null && (
        <div className={`${css.secretNotice} ${tones.good}`} role="status">
          <strong>{words.rotated}</strong>
          <Copyable value={made} label={words.label} />
          <span>{words.rotatedHint}</span>
        </div>
      )}
      {webhook.rotation !== null && <Rotation until={webhook.rotation.until} onMade={setMade} />}
    </Card>
  );
}

interface RotationProps {
  readonly until: number;
  readonly onMade: (secret: string | null) => void;
}

function Rotation({ until, onMade }: RotationProps) {
  const words = TEXTS.secret;
  const { merchantId } = useMerchant();
  const finish = useChange(trpc.webhook.finishRotation, { done: words.finished });
  const end = async () => {
    await finish.mutateAsync({ merchantId });
    onMade(null);
  };
  return (
    <div className={`${css.secretNotice} ${tones.warn}`}>
      <strong>{words.running(format.time(until))}</strong>
      <span>{words.runningHint}</span>
      {useMayChange() && (
        <Confirm
          title={words.finishTitle}
          confirmLabel={words.finishConfirm}
          onConfirm={end}
          trigger={<SmallButton mt={4}>{words.finish}</SmallButton>}
        >
          {words.finishBody}
        </Confirm>
      )}
    </div>
  );
}

function Rotate({ onMade }: { readonly onMade: (secret: string) => void }) {
  const words = TEXTS.secret;
  const { merchantId } = useMerchant();
  const rotate = useChange(trpc.webhook.rotate);
  const [way, setWay] = useState('gentle');
  const confirm = async () => {
    onMade((await rotate.mutateAsync({ merchantId, now: way === 'now' })).secret);
  };
  return (
    <Confirm
      title={words.rotateTitle}
      confirmLabel={words.confirm}
      danger={way === 'now'}
      onConfirm={confirm}
      trigger={<SmallButton>{words.rotate}</SmallButton>}
    >
      <Stack>
        <span>{words.rotateBody}</span>
        <Radio.Group value={way} onChange={setWay} aria-label={words.rotateTitle}>
          <Stack gap="sm">
            <Radio value="gentle" label={words.gentle} description={words.gentleHint} />
            <Radio value="now" label={words.now} description={words.nowHint} />
          </Stack>
        </Radio.Group>
      </Stack>
    </Confirm>
  );
}
