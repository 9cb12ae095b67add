import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';

/** A link that downloads a file. */
export function DownloadButton({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {children}
    </Button>
  );
}
