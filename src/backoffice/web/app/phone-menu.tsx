import { Drawer } from '@mantine/core';
import { texts } from '../lib/i18n.ts';
import { Navigation } from './navigation.tsx';

const TEXTS = texts({
  navigation: ['Menu', 'Menu'],
  close: ['Close the menu', 'Fechar o menu'],
});

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** The phone navigation, as an overlay. */
export default function PhoneMenu({ opened, onClose }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={TEXTS.navigation}
      size={300}
      closeButtonProps={{ 'aria-label': TEXTS.close }}
      // After navigation, the heading of the new page takes the focus.
      returnFocus={false}
    >
      <Navigation />
    </Drawer>
  );
}
