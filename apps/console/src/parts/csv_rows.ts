/** More rows than this are a matter for the API. */
const MOST_ROWS = 10_000

type Page<Item> = { data: Item[]; after?: string; has_more: boolean }

/** All rows of a list, page after page; undefined where there are too many for a file (D-798). */
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

/** Begins a formula in one spreadsheet or another, in full width too, or hides what begins one. */
const BEGINS_FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^\p{Cc}/u

/**
 * A value as a cell of CSV, as the server writes it (src/lib/csv.ts). A text that a spreadsheet
 * could read as a formula begins with an apostrophe (D-263).
 */
export function cellOf(value: string | number | undefined): string {
  const text = String(value ?? '')
  const harmless = typeof value === 'string' && BEGINS_FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
