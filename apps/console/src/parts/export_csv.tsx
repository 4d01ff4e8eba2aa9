import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ListPage } from '../api/types.ts'
import { cellOf } from './csv_cell.ts'
import { Failing } from './failing.tsx'

/** More rows than this are a matter for the API. */
const MOST_ROWS = 10_000

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
    mutationFn: async () => saveText(`${name}.csv`, csvOf(columns, await readAll(read))),
  })
  if (exporting.error) return <Failing error={exporting.error} retry={exporting.mutate} />
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} aria-hidden />}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      {t('actions.export')}
    </Button>
  )
}

async function readAll<Item>(read: ExportCsvProps<Item>['read']): Promise<Item[]> {
  const rows: Item[] = []
  let after: string | undefined
  do {
    const page = await read(after)
    rows.push(...page.data)
    after = page.has_more ? page.after : undefined
  } while (after !== undefined && rows.length < MOST_ROWS)
  return rows
}

const csvOf = <Item,>(columns: readonly CsvColumn<Item>[], rows: readonly Item[]): string =>
  [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, value]) => value(row)))]
    .map((cells) => cells.map(cellOf).join(','))
    .join('\r\n')

/** Gives the reader a file that was made here. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
