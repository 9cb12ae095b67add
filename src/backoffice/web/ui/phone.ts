import { useMediaQuery } from '@mantine/hooks';

/** The breakpoint of the phone layout; the style sheets use the same value. */
const PHONE = '(max-width: 48em)';
/** Below this width, the navigation leaves too little space for a table. Print has no navigation. */
const NARROW = 'screen and (max-width: 64em)';

/** Returns whether the phone layout applies. */
export function usePhone(): boolean {
  return useMatch(PHONE);
}

/** Returns whether lists are shown as cards. */
export function useCards(): boolean {
  return useMatch(NARROW);
}

function useMatch(query: string): boolean {
  return useMediaQuery(query, undefined, { getInitialValueInEffect: false }) ?? false;
}
