/** Formats that are read by jumping: a dig asks for the spans that it must see. */

/** From `at`, so many bytes; a dig never asks beyond the size that it was told. */
export type Span = { at: number; length: number }

/** Ends with what is wrong with the file, or with what it found. */
export type Dig<Found> = Generator<Span, Found | { fault: string }, Buffer>
