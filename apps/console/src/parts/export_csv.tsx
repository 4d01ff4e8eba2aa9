import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import type { ListPage } from '../api/types.ts'
import { withMark } from './csv_mark.ts'
import { cellOf, readAll } from './csv_rows.ts'
import { DownloadButton } from './download_button.tsx'
import { Failing } from './failing.tsx'

export type CsvColumn<Item> = [title: string, value: (item: Item) => string | number | undefined]

type ExportCsvProps<Item> = {
  /** The name of the file, without its ending. */
  name: string
  columns: readonly CsvColumn<Item>[]
  read: (after: string | undefined) => Promise<ListPage<Item>>
}

/** Downloads the rows of a list, page after page, as they are filtered. */
export function ExportCsv<Item>({ name, columns, read }: ExportCsvProps<Item>) {
  const { t } = useTranslation()
  const exporting = useMutation({
    mutationFn: async () => {
      const rows = await readAll(read)
      // A part of a list would be taken for the whole.
      if (!rows) throw new Problem(413, { detail: t('downloads.too_many_rows') })
      saveText(`${name}.csv`, csvOf(columns, rows))
    },
  })
  if (exporting.error) return <Failing error={exporting.error} retry={exporting.mutate} />
  return (
    <DownloadButton
      label={t('downloads.export')}
      isPending={exporting.isPending}
      onClick={() => exporting.mutate()}
    />
  )
}

const csvOf = <Item,>(columns: readonly CsvColumn<Item>[], rows: readonly Item[]): string =>
  [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, value]) => value(row)))]
    .map((cells) => cells.map(cellOf).join(','))
    .join('\r\n')

/** Gives the reader a file that was made here. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([withMark(text)], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
