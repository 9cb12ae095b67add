import { Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import tones from '../../ui/tones.module.css';
import type { Detail, Entry } from './data.ts';
import { useStory } from './story.ts';
import { TEXTS } from './texts.ts';
import css from './timeline.module.css';

/** The timeline of a transaction. */
export function Timeline({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  let day = '';
  return (
    <Card title={words.timeline}>
      <ol>
        {detail.timeline.map((entry) => {
          const date = format.date(entry.at);
          const heading = date === day ? null : date;
          day = date;
          return (
            <Fragment key={entry.key}>
              {heading !== null && (
                <li className={css.day}>
                  <span>{heading}</span>
                </li>
              )}
              <Row entry={entry} />
            </Fragment>
          );
        })}
      </ol>
    </Card>
  );
}

function Row({ entry }: { readonly entry: Entry }) {
  const { Icon, tone, title, detail } = useStory(entry);
  return (
    <li className={css.row}>
      <span className={`${css.mark} ${tones[tone]}`}>
        <Icon size={15} stroke={2} aria-hidden />
      </span>
      <Group align="baseline" gap="2px 8px" pt={3} miw={0}>
        <span className={css.title}>{title}</span>
        {entry.kind === 'receipt' && entry.flags.map((flag) => <StateBadge key={flag} state={flag} />)}
        {detail && <span className={css.detail}>{detail}</span>}
      </Group>
      <Text span c="dimmed" fz="0.85rem" pt={5}>
        <Time at={entry.at} as="clock" />
      </Text>
    </li>
  );
}
