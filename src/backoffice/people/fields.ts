import { z } from 'zod';

/** Members that inputs share. The rules about a new password are told by their own sentences, not by the schema's. */
const PASSWORD_TYPED_MAX = 1000;

export const password = z.string().max(PASSWORD_TYPED_MAX);
export const code = z.string().max(20);
export const email = z.string().max(300);
export const token = z.string().max(100);

/** What every list takes. A client that reads page after page says which way it goes; there is one. */
export const page = {
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().max(1000).nullish(),
  direction: z.literal('forward').optional(),
};
