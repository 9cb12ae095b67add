import { Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { takeArrival } from '../lib/arrival.ts';
import { COMMON } from '../lib/i18n.ts';
import { usePageMerchant } from '../lib/session.ts';
import { Breakable } from './breakable.tsx';
import css from './page.module.css';

const COLUMN = { w: '100%', maw: 1080, mx: 'auto' } as const;

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons next to the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: document title, heading and body. The heading takes the focus after navigation. */
export function Page({ title, description, actions, children }: Props) {
  const place = usePageMerchant()?.name ?? COMMON.product;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${place}`;
  }, [title, place]);
  useEffect(() => {
    if (takeArrival()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Box {...COLUMN}>
      <header className={css.head}>
        <div>
          <p className={css.place}>{place}</p>
          <h1 ref={heading} tabIndex={-1} className={css.title}>
            <Breakable text={title} />
          </h1>
          {description !== undefined && (
            <Text mt={6} maw="64ch" c="dimmed" textWrap="pretty" style={{ overflowWrap: 'anywhere' }}>
              {description}
            </Text>
          )}
        </div>
        {actions !== undefined && (
          <Group gap={8} align="stretch">
            {actions}
          </Group>
        )}
      </header>
      <Stack gap={20}>{children}</Stack>
    </Box>
  );
}

/** The skeleton of a page whose code is loading. */
export function PageSkeleton() {
  return (
    <Box {...COLUMN} role="status" aria-label={COMMON.loading}>
      <Skeleton height={32} width={220} mb={32} radius="md" />
      <Skeleton height={140} mb={20} radius="lg" />
      <Skeleton height={280} radius="lg" />
    </Box>
  );
}
