import { useMediaQuery } from '@mantine/hooks';

/** The breakpoint of the phone layout; the style sheets use the same value. */
const PHONE = '(max-width: 48em)';

export function usePhone(): boolean {
  return useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false;
}
