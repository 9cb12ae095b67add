import { useMediaQuery } from '@mantine/hooks';

/** The breakpoint of the phone layout; the style sheets use the same value. */
const PHONE = '(max-width: 48em)';

/** Returns whether the phone layout applies. */
export function usePhone(): boolean {
  return useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false;
}
