/** Reads CSV as RFC 4180 has it, by its grammar and not by our writer. Throws at what is none. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at, at + 10_000))
    if (!cell) throw new Error(`no CSV at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`)
    const [whole, quoted, plain = '', end] = cell
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    at += whole.length
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  if (row.length > 0) throw new Error('the last line does not end')
  return rows
}
