import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { checkSession } from '../lib/trpc.ts';

/** A link that downloads a file. It checks the session too, because the browser does not say why a download failed. */
export function DownloadButton({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <Button
      component="a"
      href={href}
      download
      onClick={() => void checkSession()}
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
    >
      {children}
    </Button>
  );
}
