/** Formats that need random access: a dig requests the spans that it needs. */

/** From `at`, so many bytes; a dig never requests bytes beyond the size of the file. */
export type Span = { at: number; length: number }

/** Ends with what is wrong with the file, or with what it found. */
export type Dig<Found> = Generator<Span, Found | { fault: string }, Buffer>
