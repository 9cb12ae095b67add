import { useMediaQuery } from '@mantine/hooks';

/** The width under which the pages are laid out for a phone; the same as in the style sheets. */
const PHONE = '(max-width: 48em)';

/** Whether the pages are laid out for a phone, from the first picture on. */
export function usePhone(): boolean {
  return useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false }) ?? false;
}
