import { Text } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Overview } from '../../../overview/show.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { Card } from '../../ui/card.tsx';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

/** The onboarding checklist; hidden once complete, but not while it is on screen. */
export function Steps({ steps }: { readonly steps: NonNullable<Overview['steps']> }) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const all = Object.values(steps);
  const done = all.filter(Boolean).length;
  const [wasNew] = useState(done < all.length);
  if (!wasNew) return null;
  const at = (page: string) => `/m/${merchantId}/${page}`;
  return (
    <Card
      title={words.steps}
      actions={
        <Text span c="dimmed" fz="0.88rem" role="status">
          {done === all.length ? words.stepsAll : words.stepsDone(done, all.length)}
        </Text>
      }
    >
      <ol className={css.steps}>
        <Step done={steps.domain} title={words.stepDomain} why={words.stepDomainWhy} href={at('domains')} />
        <Step done={steps.key} title={words.stepKey} why={words.stepKeyWhy} href={at('developers')} />
        <Step
          done={steps.webhookSet}
          title={words.stepWebhook}
          why={words.stepWebhookWhy}
          href={at('webhook')}
        />
        <Step
          done={steps.webhookAnswered}
          title={words.stepAnswered}
          why={words.stepAnsweredWhy}
          href={at('webhook')}
        />
        <Step
          done={steps.firstPayment}
          title={words.stepPayment}
          why={words.stepPaymentWhy}
          href={at('transactions')}
        />
      </ol>
    </Card>
  );
}

interface StepProps {
  readonly done: boolean;
  readonly title: string;
  readonly why: string;
  readonly href: string;
}

function Step({ done, title, why, href }: StepProps) {
  const words = useTexts(TEXTS);
  return (
    <li className={done ? css.stepDone : css.step}>
      {done ? (
        <IconCircleCheckFilled size={22} role="img" aria-label={words.done} />
      ) : (
        <IconCircleDashed size={22} role="img" aria-label={words.toDo} />
      )}
      <div>
        {done ? (
          <span className={css.stepTitle}>{title}</span>
        ) : (
          <Link href={href} className={css.stepTitle}>
            {title}
          </Link>
        )}
        {!done && (
          <Text c="dimmed" fz="0.88rem">
            {why}
          </Text>
        )}
      </div>
    </li>
  );
}
