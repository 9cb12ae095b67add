import { Button, Group, Stack } from '@mantine/core';
import { IconBuildingStore } from '@tabler/icons-react';
import { type ReactNode, useEffect } from 'react';
import { COMMON } from '../lib/i18n.ts';
import { Trouble } from '../ui/trouble.tsx';
import css from './outside.module.css';
import { LanguageSwitch, SchemeSwitch } from './switches.tsx';
import { TestMoney } from './test-money.tsx';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of pages without a session: one centred card and the language switch. */
export function Outside({ title, description, children }: Props) {
  useEffect(() => {
    document.title = `${title} · ${COMMON.product}`;
  });
  return (
    <>
      <TestMoney />
      <main className={css.ground}>
        <Stack align="center" gap={22} w="100%" maw={424}>
          <Group gap={12} fw={640} fz="1.05rem">
            <span className={css.mark} aria-hidden>
              <IconBuildingStore size={22} stroke={1.8} />
            </span>
            <span>{COMMON.product}</span>
          </Group>
          <div className={css.sheet}>
            <h1 className={css.title}>{title}</h1>
            {description !== undefined && <p className={css.description}>{description}</p>}
            {children}
          </div>
          <Group gap="4px 16px" align="stretch">
            <LanguageSwitch />
            <SchemeSwitch />
          </Group>
        </Stack>
      </main>
    </>
  );
}

interface FailureProps {
  readonly title: string;
  readonly error: unknown;
  readonly onAgain: () => void;
}

/** Shown when what such a page needs could not be loaded. */
export function OutsideFailure({ title, error, onAgain }: FailureProps) {
  return (
    <Outside title={title}>
      <Stack>
        <Trouble error={error} />
        <Button onClick={onAgain}>{COMMON.again}</Button>
      </Stack>
    </Outside>
  );
}
