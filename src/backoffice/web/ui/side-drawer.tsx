import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { useReturnFocus, useTopmost } from './topmost.ts';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** The width in pixels. */
  readonly size: number;
  readonly children: ReactNode;
}

/** A drawer at the right with the details of a row. */
export function SideDrawer({ opened, onClose, title, size, children }: Props) {
  const topmost = useTopmost(opened);
  useReturnFocus(opened);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={size}
      title={title}
      closeOnEscape={topmost}
    >
      {children}
    </Drawer>
  );
}
