/** 0 is false, 1 is true. */
export type Flag = 0 | 1;
/** UTC milliseconds since 1970. */
export type Instant = number;
