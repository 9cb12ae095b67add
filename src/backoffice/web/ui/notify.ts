import { notifications } from '@mantine/notifications';
import { faultOf, isGivenUp } from '../lib/faults.ts';
import { COMMON, texts } from '../lib/i18n.ts';

const TEXTS = texts({
  failed: ['The action failed', 'Não foi possível concluir a operação'],
});
const FAULT_SHOWN_MS = 12_000;

export function notifyDone(text: string): void {
  notifications.show({ message: text, color: 'teal', withBorder: true });
}

/** Shows the results of several actions of which some failed. */
export function notifyPartlyFailed(text: string): void {
  notifications.show({ message: text, color: 'red', withBorder: true, autoClose: FAULT_SHOWN_MS });
}

/** Shows an error notification with the request ID; does nothing when the user cancelled. */
export function notifyFault(error: unknown): void {
  if (isGivenUp(error)) return;
  const { message, requestId } = faultOf(error);
  notifications.show({
    title: TEXTS.failed,
    message: requestId === null ? message : `${message} ${COMMON.requestId(requestId)}`,
    color: 'red',
    withBorder: true,
    autoClose: FAULT_SHOWN_MS,
  });
}
