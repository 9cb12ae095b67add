import { Drawer, Modal } from '@mantine/core';
import { useIsMutating } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LinesSkeleton, Loaded, type QueryView } from './loaded.tsx';
import { useReturnFocus, useTopmost } from './topmost.ts';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly opened?: boolean;
  /** Prevents closing by Escape or a click outside, for content that is shown only once. */
  readonly guarded?: boolean;
  readonly size?: 'md' | 'lg';
  /** Appears above other dialogs. Escape closes it also while a change is being saved, because that change may wait for it. */
  readonly above?: boolean;
  /** Blurs the page behind it. */
  readonly blurred?: boolean;
}

/** A modal dialog with a close button. While a change is being saved, only that button closes it: the result may be shown only once. */
export function Dialog(props: Props) {
  const {
    title,
    onClose,
    children,
    opened = true,
    guarded = false,
    size = 'md',
    above = false,
    blurred = false,
  } = props;
  const topmost = useTopmost(opened);
  const saving = useIsMutating() > 0 && !above;
  useReturnFocus(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size={size}
      closeOnClickOutside={false}
      closeOnEscape={topmost && !guarded && !saving}
      {...(above && { zIndex: 400 })}
      overlayProps={{
        ...(blurred && { blur: 14, backgroundOpacity: 0.7 }),
        onClick: onSingleClick(() => {
          if (!guarded && !saving) onClose();
        }),
      }}
    >
      <div ref={chooseFocus}>{children}</div>
    </Modal>
  );
}

/** Chooses what a dialog focuses when it opens, if the content does not: the first field, else the first button, but not Close. */
function chooseFocus(content: HTMLElement | null): void {
  if (content === null || content.querySelector('[data-autofocus]') !== null) return;
  const first =
    content.querySelector('input:enabled, textarea:enabled') ?? content.querySelector('button:enabled');
  first?.setAttribute('data-autofocus', '');
}

interface SideDrawerProps<T> {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  /** The width in pixels. */
  readonly size: number;
  readonly query: QueryView<T>;
  /** The lines shown while the query loads. */
  readonly lines: number;
  readonly children: (data: T) => ReactNode;
}

/** A drawer at the right with the details of a row. */
export function SideDrawer<T>(props: SideDrawerProps<T>) {
  const { opened, onClose, title, size, query, lines, children } = props;
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
      closeOnClickOutside={false}
      overlayProps={{ onClick: onSingleClick(onClose) }}
    >
      <Loaded query={query} skeleton={<LinesSkeleton lines={lines} />}>
        {children}
      </Loaded>
    </Drawer>
  );
}

/** Ignores the second click of a double click: it meets the overlay of what the first one opened. */
const onSingleClick = (act: () => void) => (event: { readonly detail: number }) => {
  if (event.detail < 2) act();
};
