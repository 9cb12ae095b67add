import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DayFieldProps } from './day-input.tsx';

const DayInput = lazy(() => import('./day-input.tsx'));

/**
 * A field for a day, typed or chosen in a calendar that is loaded after the page. It uses the language of the page, unlike the
 * browser's own field.
 */
export function DayField(props: DayFieldProps) {
  return (
    <Suspense fallback={<TextInput label={props.label} error={props.error} disabled />}>
      <DayInput {...props} />
    </Suspense>
  );
}
