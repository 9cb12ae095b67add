import { IconBuildingStore, IconSelector } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { texts, useTexts } from '../lib/i18n.ts';
import { useMaybeMerchant, useSession } from '../lib/session.ts';
import { MerchantChoices } from './merchant-choices.tsx';
import css from './navigation.module.css';

const TEXTS = texts({
  en: { choose: 'Select a merchant', switch: (name: string) => `${name}: switch merchant` },
  pt: { choose: 'Selecionar comerciante', switch: (name) => `${name}: mudar de comerciante` },
});

/** The current merchant with a switcher; plain text when the user has only one. */
export function MerchantSwitch() {
  const words = useTexts(TEXTS);
  const merchant = useMaybeMerchant();
  const { user, memberships } = useSession();
  const { opened, setOpened, frame } = useDisclosure();
  const id = useId();
  if (user?.operator !== true && memberships.length < 2) {
    return (
      <Link href="/" className={css.brand}>
        <Mark />
        <span className={css.brandName}>{merchant?.name ?? memberships[0]?.name ?? user?.email ?? ''}</span>
      </Link>
    );
  }
  return (
    <div ref={frame} className={css.switch}>
      <button
        type="button"
        className={css.brand}
        aria-label={merchant === null ? words.choose : words.switch(merchant.name)}
        aria-expanded={opened}
        aria-controls={opened ? id : undefined}
        onClick={() => setOpened(!opened)}
      >
        <Mark />
        <span className={css.brandName}>{merchant?.name ?? words.choose}</span>
        <IconSelector size={16} stroke={1.6} aria-hidden />
      </button>
      {opened && (
        <div id={id} className={css.choicesSheet}>
          <MerchantChoices />
        </div>
      )}
    </div>
  );
}

function Mark() {
  return (
    <span className={css.mark} aria-hidden>
      <IconBuildingStore size={18} stroke={1.8} />
    </span>
  );
}

/** Closes on a choice, Escape or a click outside. */
function useDisclosure() {
  const [opened, setOpened] = useState(false);
  const [location] = useLocation();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (location !== '') setOpened(false);
  }, [location]);
  useEffect(() => {
    if (!opened) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpened(false);
      frame.current?.querySelector('button')?.focus();
    };
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && frame.current?.contains(event.target) === false) setOpened(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPointer);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPointer);
    };
  }, [opened]);
  return { opened, setOpened, frame };
}
