import { Button, type ButtonProps, type ElementProps } from '@mantine/core';

interface Props extends ButtonProps, ElementProps<'button', keyof ButtonProps> {}

/** The button of a row, a card or a notice. */
export function SmallButton(props: Props) {
  return <Button variant="default" size="xs" {...props} />;
}
