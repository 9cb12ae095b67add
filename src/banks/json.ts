import type { Answer } from './exchange.ts';

/** The part of the bank's texts that is kept. */
export const DETAIL_LENGTH_MAX = 200;

export type Wire = Record<string, unknown>;

/** Describes an answer without its body, which may repeat the phone number. */
export function describe(answer: Answer): string {
  return `HTTP ${answer.status} with ${answer.text.length} characters that are not the documented answer`;
}

/** The outcome of a request that the bank may or may not have carried out. */
export function unknown(detail: string): { kind: 'unknown'; detail: string } {
  return { kind: 'unknown', detail };
}

/** The JSON object of a text; null when it is not one. */
export function parseObject(text: string): Wire | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function isObject(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A member by its name, in any letter case. */
export function member(wire: Wire, name: string): unknown {
  if (Object.hasOwn(wire, name)) return wire[name];
  const wanted = name.toLowerCase();
  const key = Object.keys(wire).find((candidate) => candidate.toLowerCase() === wanted);
  return key === undefined ? undefined : wire[key];
}

/** A string or a number as trimmed text; null for anything else or an empty one. */
export function textOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** The text of a member, as `textOf` reads it; null without one or without an object. */
export function textIn(wire: Wire | null, name: string): string | null {
  return wire === null ? null : textOf(member(wire, name));
}

/** Exactly `length` digits, from text with or without spaces or from a number without its leading zeros; else null. */
export function digits(value: unknown, length: number): string | null {
  const text =
    typeof value === 'number'
      ? String(value).padStart(length, '0')
      : (textOf(value) ?? '').replaceAll(' ', '');
  return /^\d+$/.test(text) && text.length === length ? text : null;
}
