/** Bidirectional controls and zero-width characters, which can make a text look like another. */
const INVISIBLE = /[\p{Bidi_Control}\u200b-\u200d\u2060-\u2064\ufeff]/gu;

/** Returns the text without these characters. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
