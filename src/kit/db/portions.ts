/** Rows that are given to a statement one by one (`values`), not in arrays. */

import { type RawBuilder, sql } from 'kysely'

/** The most rows of one statement. */
const LARGEST = 64

/**
 * The rows in portions, in their order, each of a power of two: so statements that name each value
 * have seven texts rather than one for each number of rows, and stay prepared.
 */
export function portionsOf<Row>(rows: readonly Row[]): Row[][] {
  const portions: Row[][] = []
  for (let [at, size] = [0, LARGEST]; at < rows.length; ) {
    while (size > rows.length - at) size /= 2
    portions.push(rows.slice(at, at + size))
    at += size
  }
  return portions
}

/** `values (…), (…)`, the values of each row in their order. */
export const valuesOf = (rows: readonly (readonly unknown[])[]): RawBuilder<unknown> =>
  sql`values ${sql.join(rows.map((row) => sql`(${sql.join(row)})`))}`
