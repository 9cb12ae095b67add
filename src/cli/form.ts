export interface Option {
  type: 'string' | 'boolean';
  multiple?: boolean;
}

/** How a command is typed. */
export interface CommandForm {
  /** As typed: `merchant create`. */
  name: string;
  /** What follows the name, in the order and form to be typed. */
  usage: string;
  /** Names of the words that must follow, options apart. */
  words: readonly string[];
  options: Readonly<Record<string, Option>>;
}
