import type { Env } from './config-values.ts';

/** A setting that is accepted but probably wrong; the service logs it when it starts. */
export interface ConfigWarning {
  readonly message: string;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Returns the warnings about `env`. `known` are the names that the service reads. */
export function configWarnings(
  env: Env,
  known: ReadonlySet<string>,
  { bank, publicUrl }: { bank: string; publicUrl: string | null },
): ConfigWarning[] {
  const warnings: ConfigWarning[] = unknownNames(env, known).map((variable) => ({
    message: 'unknown setting: it has no effect; check its name',
    fields: { variable },
  }));
  if (bank !== 'sandbox' && publicUrl?.startsWith('https:') !== true) {
    warnings.push({
      message:
        'SERVICE_PUBLIC_URL is not an https address: the bank cannot reach the service there; set the public https address',
      fields: { publicUrl },
    });
  }
  return warnings;
}

function unknownNames(env: Env, known: ReadonlySet<string>): string[] {
  return Object.keys(env).filter((name) => name.startsWith('SERVICE_') && !known.has(name));
}
