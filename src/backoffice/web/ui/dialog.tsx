import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts, useTexts } from '../lib/i18n.ts';

const TEXTS = texts({ en: { close: 'Close' }, pt: { close: 'Fechar' } });

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly opened?: boolean;
  /** For what is shown once: neither a click beside the dialog nor Escape loses it. */
  readonly guarded?: boolean;
  readonly size?: 'md' | 'lg';
  /** Stands over other dialogs. */
  readonly above?: boolean;
}

/** A window over the page, with a button that closes it. */
export function Dialog(props: Props) {
  const { title, onClose, children, opened = true, guarded = false, size = 'md', above = false } = props;
  const words = useTexts(TEXTS);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': words.close }}
      closeOnClickOutside={!guarded}
      closeOnEscape={!guarded}
      {...(above && { zIndex: 400 })}
    >
      {children}
    </Modal>
  );
}
