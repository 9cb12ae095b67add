/** The languages of the pages. */
export type Language = 'pt' | 'en';
