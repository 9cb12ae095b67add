import { Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { TbBuildingStore } from 'react-icons/tb';
import { COMMON } from '../lib/i18n.ts';
import { Trouble } from '../ui/trouble.tsx';
import css from './outside.module.css';
import { LanguageSwitch, SchemeSwitch } from './switches.tsx';
import { TestMoney } from './test-money.tsx';

const TITLE = { fz: '1.4rem', fw: 680, lts: '-0.01em', lh: 1.25 };

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
      <main tabIndex={-1} className={css.ground}>
        <Stack align="center" gap={22} w="100%" maw={424}>
          <Group gap={12} fw={640} fz="1.05rem">
            <ThemeIcon component="span" size={42} radius={12} aria-hidden>
              <TbBuildingStore size={22} strokeWidth={1.8} />
            </ThemeIcon>
            <span>{COMMON.product}</span>
          </Group>
          <div className={css.sheet}>
            <Text component="h1" {...TITLE} mb={description === undefined ? 22 : 8}>
              {title}
            </Text>
            {description !== undefined && (
              <Text mb={22} c="dimmed" textWrap="pretty">
                {description}
              </Text>
            )}
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
