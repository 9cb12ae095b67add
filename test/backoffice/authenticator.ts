import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { expect } from 'vitest';
import type { Visitor } from './support.ts';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** What a test changes in a genuine answer. */
interface Forged {
  origin?: string;
  rpId?: string;
  challenge?: string;
  userHandle?: string;
  /** False for an authenticator that did not verify the user. */
  verified?: boolean;
  counter?: number;
}

/** One passkey of an authenticator in software. Its answers have the shape of a browser's. */
export interface SoftPasskey {
  readonly id: string;
  /** Answers `navigator.credentials.create`. */
  create(options: CreationOptions, forged?: Forged): ReturnType<typeof answer>;
  /** Answers `navigator.credentials.get`. */
  get(options: { challenge: string; rpId?: string }, forged?: Forged): ReturnType<typeof answer>;
}

interface CreationOptions {
  challenge: string;
  rp: { id?: string };
  user: { id: string };
}

/** Adds a passkey to the account of a person. */
export async function addPasskey(
  person: Visitor,
  passkey: SoftPasskey,
  name = 'My laptop',
): Promise<SoftPasskey> {
  const { value: options } = await person.mutate('account.passkeyBegin');
  const response = passkey.create(options);
  expect(await person.mutate('account.passkeyAdd', { name, response })).toMatchObject({ status: 200 });
  return passkey;
}

/** A new passkey for the service at `url`. Unless `counts` is false, its counter grows with each signature. */
export function softPasskey(url: string, { counts = true } = {}): SoftPasskey {
  // The service is called by 127.0.0.1, to which passkeys cannot be bound.
  const origin = url.replace('127.0.0.1', 'localhost');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let handle = '';
  let signatures = 0;

  const clientData = (type: string, challenge: string, forged: Forged) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: forged.challenge ?? challenge,
        origin: forged.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const authData = (rpId: string | undefined, flags: number, forged: Forged) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forged.counter ?? (counts ? signatures : 0));
    const verified = forged.verified === false ? 0 : USER_VERIFIED;
    return Buffer.concat([
      sha256(forged.rpId ?? rpId ?? ''),
      Buffer.of(USER_PRESENT | verified | flags),
      counter,
    ]);
  };
  return {
    id,
    create(options, forged = {}) {
      handle = options.user.id;
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const data = Buffer.concat([
        authData(options.rp.id, HAS_CREDENTIAL, forged),
        Buffer.alloc(16),
        length,
        credentialId,
        // COSE: EC2, ES256, P-256, x, y.
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.of(data.length),
        data,
      ]);
      return answer(id, {
        clientDataJSON: clientData('webauthn.create', options.challenge, forged),
        attestationObject,
      });
    },
    get(options, forged = {}) {
      signatures += 1;
      const clientDataJSON = clientData('webauthn.get', options.challenge, forged);
      const authenticatorData = authData(options.rpId, 0, forged);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      return answer(id, {
        clientDataJSON,
        authenticatorData,
        signature: sign('sha256', signed, privateKey),
        userHandle: Buffer.from(forged.userHandle ?? handle, 'base64url'),
      });
    },
  };
}

function answer(id: string, parts: Record<string, Buffer>) {
  const response = Object.fromEntries(
    Object.entries(parts).map(([name, bytes]) => [name, bytes.toString('base64url')]),
  );
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}
