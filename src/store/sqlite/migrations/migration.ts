/** A step from one shape of the store to the next. A released one is never edited. */
export interface Migration {
  readonly name: string;
  /** Statements that run in one transaction. */
  readonly sql: string;
}
