import { Button, type ButtonProps } from '@mantine/core';
import { TbDownload } from 'react-icons/tb';
import { checkSession } from '../lib/trpc.ts';

interface Props extends Pick<ButtonProps, 'size'> {
  readonly href: string;
  readonly title?: string;
  readonly children: string;
}

/** A link that downloads a file. It checks the session too, because the browser does not say why a download failed. */
export function DownloadButton({ children, ...link }: Props) {
  return (
    <Button
      {...link}
      component="a"
      download
      onClick={() => void checkSession()}
      variant="default"
      leftSection={<TbDownload size={16} aria-hidden />}
    >
      {children}
    </Button>
  );
}
