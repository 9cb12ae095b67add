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
    fields: { variable, nearest: nearestName(variable, known) },
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

function nearestName(name: string, known: ReadonlySet<string>): string | null {
  const [nearest = null] = [...known]
    .filter((candidate) => candidate.startsWith('SERVICE_'))
    .sort((a, b) => editDistance(name, a) - editDistance(name, b));
  return nearest;
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries()) {
      const changed = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
