/** The searchable text of one transaction or lead. */
export interface SearchDocumentTable {
  /** Ascending in the order of the ids. */
  number: number;
  /** The id of the transaction or lead. */
  id: string;
  /** The section of its merchant. */
  section: number;
  /** The section of all merchants. */
  shared_section: number;
  text: string;
}

/** Consecutive documents of one merchant, or of all, that a search examines together. */
export interface SearchSectionTable {
  number: number;
  kind: 'tx' | 'led';
  /** The merchant, or `all`. */
  owner: string;
  /** The lowest id in it. */
  first_id: string;
  rows_count: number;
}
