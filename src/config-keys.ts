import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bad, type Env, text } from './config-values.ts';
import { createPrivateFolder } from './db/private-folder.ts';
import { errorCode, OperatorError } from './kernel/errors.ts';
import { SECRET_KEY_BYTES } from './kernel/secret-box.ts';

const METRICS_TOKEN_LENGTH_MIN = 16;
const EMPTY_TRIES_MAX = 50;
const EMPTY_RETRY_MS = 10;

/** Returns the key that encrypts stored secrets; the sandbox creates one next to its database. */
export function readSecretKey(
  env: Env,
  settings: { readonly bank: string; readonly databaseUrl: string; readonly dataFolder: string },
): Buffer {
  const value = text(env, 'SERVICE_SECRET_KEY');
  if (value !== null) return decodeKey(value, 'SERVICE_SECRET_KEY');
  if (settings.bank !== 'sandbox') {
    throw bad(
      'SERVICE_SECRET_KEY',
      "is required with a real bank: 32 random bytes in base64, e.g. 'openssl rand -base64 32'",
    );
  }
  const isSqlite = settings.databaseUrl.startsWith('sqlite:');
  createPrivateFolder(settings.dataFolder, isSqlite ? 'SERVICE_DATABASE_URL' : 'SERVICE_SECRET_KEY');
  return keptKey(join(settings.dataFolder, 'secret.key'));
}

/** Returns the key that a key rotation replaces; null without a rotation. */
export function readPreviousKey(env: Env, secretKey: Buffer): Buffer | null {
  const value = text(env, 'SERVICE_SECRET_KEY_PREVIOUS');
  if (value === null) return null;
  const previous = decodeKey(value, 'SERVICE_SECRET_KEY_PREVIOUS');
  if (previous.equals(secretKey)) {
    throw bad(
      'SERVICE_SECRET_KEY_PREVIOUS',
      'is the same as SERVICE_SECRET_KEY; it is the old key, while secrets move to the new one',
    );
  }
  return previous;
}

export function readMetricsToken(env: Env): string | null {
  const value = text(env, 'SERVICE_METRICS_TOKEN');
  if (value === null || value.length >= METRICS_TOKEN_LENGTH_MIN) return value;
  throw bad(
    'SERVICE_METRICS_TOKEN',
    `must have at least ${METRICS_TOKEN_LENGTH_MIN} characters, e.g. from 'openssl rand -hex 16'`,
  );
}

/** Returns the sandbox's key, created once next to the database with mode 0600. */
function keptKey(file: string): Buffer {
  try {
    createKey(file);
    return decodeKey(readWritten(file), `SERVICE_SECRET_KEY (kept in ${file})`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw bad(
      'SERVICE_SECRET_KEY',
      `cannot be kept in ${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

/** Writes a new key unless the file exists. A disk that is full leaves no file, because an empty one would stop every later start. */
function createKey(file: string): void {
  try {
    writeFileSync(file, randomBytes(SECRET_KEY_BYTES).toString('base64'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    rmSync(file, { force: true });
    throw error;
  }
}

/** Reads a file. Waits briefly while it is empty, because another process that starts now may have created it. */
function readWritten(file: string): string {
  for (let tries = 1; ; tries++) {
    const text = readFileSync(file, 'utf8').trim();
    if (text !== '' || tries === EMPTY_TRIES_MAX) return text;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, EMPTY_RETRY_MS);
  }
}

function decodeKey(value: string, name: string): Buffer {
  const key = Buffer.from(value, 'base64');
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value) || key.length !== SECRET_KEY_BYTES) {
    throw bad(name, "must be 32 bytes in base64, e.g. from 'openssl rand -base64 32'");
  }
  if (key.every((byte) => byte === 0)) {
    throw bad(name, "is all zeros; use random bytes, e.g. from 'openssl rand -base64 32'");
  }
  return key;
}
