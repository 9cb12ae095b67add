import { TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DayFieldProps } from './day-input.tsx';

const DayInput = lazy(() => import('./day-input.tsx'));

/** A field for a day in the language of the page (the browser's own follows the browser's), typed or chosen in a calendar, which is loaded after the page. */
export function DayField(props: DayFieldProps) {
  return (
    <Suspense fallback={<TextInput label={props.label} error={props.error} disabled />}>
      <DayInput {...props} />
    </Suspense>
  );
}
