/** Formats that need random access: a reader requests the spans of a file that it needs. */

/** From `at`, so many bytes; a reader never requests bytes beyond the size of the file. */
export type Span = { at: number; length: number }

/** Yields the spans that it needs, gets their bytes, and returns its result. */
export type SpanReader<Result> = Generator<Span, Result, Buffer>

/** A reader whose file may be at fault. */
export type FaultReader<Result> = SpanReader<Result | { fault: string }>
