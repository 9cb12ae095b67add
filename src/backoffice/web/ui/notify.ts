import { notifications } from '@mantine/notifications';
import { faultOf, GaveUp } from '../lib/faults.ts';
import { currentLanguage, inLanguage, texts } from '../lib/i18n.ts';

const TEXTS = texts({
  en: { close: 'Close', failed: 'The action failed', request: (id: string) => `Request ID ${id}` },
  pt: {
    close: 'Fechar',
    failed: 'Não foi possível concluir a operação',
    request: (id) => `ID do pedido ${id}`,
  },
});
const FAULT_SHOWN_MS = 12_000;

/** Shows a success notification. */
export function notifyDone(text: string): void {
  notifications.show({ message: text, color: 'teal', withBorder: true, closeButtonProps: closeButton() });
}

/** Shows an error notification with the request ID; does nothing when the user cancelled. */
export function notifyFault(error: unknown): void {
  if (error instanceof GaveUp) return;
  const words = inLanguage(TEXTS, currentLanguage());
  const { message, requestId } = faultOf(error);
  notifications.show({
    title: words.failed,
    message: requestId === null ? message : `${message} ${words.request(requestId)}`,
    color: 'red',
    withBorder: true,
    closeButtonProps: closeButton(),
    autoClose: FAULT_SHOWN_MS,
  });
}

/** Mantine's close button has no accessible name by default. */
function closeButton() {
  return { 'aria-label': inLanguage(TEXTS, currentLanguage()).close };
}
