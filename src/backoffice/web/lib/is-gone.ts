import { useEffect, useRef } from 'react';

/** Returns whether the page has removed the component, to be asked after a wait. */
export function useIsGone(): () => boolean {
  const gone = useRef(false);
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
    };
  }, []);
  return () => gone.current;
}
