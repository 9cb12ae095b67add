import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { TbAlertTriangle } from 'react-icons/tb';
import css from './alarm.module.css';
import tones from './tones.module.css';

interface Props {
  readonly tone: 'bad' | 'warn';
  readonly Icon?: typeof TbAlertTriangle;
  readonly title: string;
  /** What resolves the problem. */
  readonly action?: ReactNode;
  readonly role?: 'alert' | 'note';
  readonly children: ReactNode;
}

/** A problem that needs attention, at the top of a page. */
export function Alarm({ tone, Icon = TbAlertTriangle, title, action, role, children }: Props) {
  return (
    <section className={`${css.alarm} ${tones[tone]}`} aria-label={title} {...(role && { role })}>
      <Icon size={22} aria-hidden />
      <div className={css.text}>
        <Text component="h2" fz="1.02rem" fw={660}>
          {title}
        </Text>
        {children}
      </div>
      {action}
    </section>
  );
}
