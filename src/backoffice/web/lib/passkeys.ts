import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import type { Reason } from '../../errors.ts';
import { GaveUp } from './faults.ts';
import { useSessionQuery } from './session.ts';
import { trpc } from './trpc.ts';

/** Whether this page can use passkeys, and the origin where they work; null when they work nowhere. */
export function usePasskeyPlace(): { here: boolean; origin: string | null } {
  const origin = useSessionQuery().data?.passkeyOrigin ?? null;
  return { here: origin === window.location.origin && 'PublicKeyCredential' in window, origin };
}

/** Signs in with a passkey; with `email` only as that person. */
export function usePasskeySignIn(email?: string) {
  const begin = useMutation(trpc.session.passkeyBegin.mutationOptions());
  const signIn = useMutation(trpc.session.passkeySignIn.mutationOptions());
  return useMutation({
    mutationFn: async () => {
      const response = await answer(await begin.mutateAsync());
      await signIn.mutateAsync({ response, ...(email !== undefined && { email }) });
    },
  });
}

/** Confirms the session with a passkey of its user. */
export function usePasskeyConfirm() {
  const begin = useMutation(trpc.session.confirmBegin.mutationOptions());
  const confirm = useMutation(trpc.session.confirm.mutationOptions());
  return useMutation({
    mutationFn: async () => {
      await confirm.mutateAsync({ response: await answer(await begin.mutateAsync()) });
    },
  });
}

async function answer(optionsJSON: PublicKeyCredentialRequestOptionsJSON) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return await startAuthentication({ optionsJSON }).catch(fail);
}

/** Makes a passkey on the device that the user chooses. Rejects with GaveUp when they cancel. */
export async function createPasskey(optionsJSON: PublicKeyCredentialCreationOptionsJSON) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return await startRegistration({ optionsJSON }).catch(fail);
}

/** Throws the error that the pages show for a browser error; they show none when the user cancelled. */
function fail(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') throw new GaveUp();
  const reason: Reason = name === 'InvalidStateError' ? 'passkey_known' : 'passkey_wrong';
  throw Object.assign(new Error(name), { data: { code: 'BAD_REQUEST', reason } });
}
