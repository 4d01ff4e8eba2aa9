import { csvText } from '../../../../src/lib/csv.ts'

/** More rows than this are a matter for the API. */
const MOST_ROWS = 10_000

type Page<Item> = { data: Item[]; after?: string; has_more: boolean }

/** All rows of a list, page after page; undefined if there are too many for a file (D-798). */
export async function readAll<Item>(
  read: (after: string | undefined) => Promise<Page<Item>>,
): Promise<Item[] | undefined> {
  const rows: Item[] = []
  let after: string | undefined
  do {
    const page = await read(after)
    rows.push(...page.data)
    after = page.has_more ? page.after : undefined
  } while (after !== undefined && rows.length < MOST_ROWS)
  return after === undefined ? rows : undefined
}

/** A value as a cell of CSV, as the server writes it: no text begins a formula (D-263). */
export const cellOf = (value: string | number | undefined): string =>
  typeof value === 'string' ? csvText(value) : String(value ?? '')
