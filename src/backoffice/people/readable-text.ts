import { type Random, randomText } from '../../kernel/random.ts';

/** Without characters that are easily confused when read aloud. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUP_LENGTH = 5;

/** Random groups of five that are easy to type: `k7vq2-m9xwd`. About 25 bits each. */
export function readableText(random: Random, groups: number): string {
  return Array.from({ length: groups }, () => randomText(random, GROUP_LENGTH, LETTERS)).join('-');
}
