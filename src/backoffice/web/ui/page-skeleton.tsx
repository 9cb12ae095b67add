import { Skeleton } from '@mantine/core';
import { COMMON } from '../lib/common-texts.ts';
import { useTexts } from '../lib/i18n.ts';
import css from './page.module.css';

/** The skeleton of a page whose code is loading. */
export function PageSkeleton() {
  const words = useTexts(COMMON);
  return (
    <div className={css.page} role="status" aria-label={words.loading}>
      <Skeleton height={32} width={220} mb={32} radius="md" />
      <Skeleton height={140} mb={20} radius="lg" />
      <Skeleton height={280} radius="lg" />
    </div>
  );
}
