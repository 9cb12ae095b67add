export const BACKOFFICE = '/backoffice';
/** Queries by GET and mutations by POST, one call per request. */
export const PROCEDURES = `${BACKOFFICE}/trpc`;
/** Downloads by GET, so that a link can lead to them. */
export const DOWNLOADS = `${BACKOFFICE}/export`;
