import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Failing } from './failing.tsx'
import type { FilterValues } from './filters.tsx'
import styles from './listing.module.css'
import { NoFit } from './no_fit.tsx'

export type Column<Item> = {
  title: string
  cell: (item: Item) => ReactNode
  /** Amounts stand at the end of their column, one below the other. */
  isFigure?: boolean
  /** Buttons stand at the end of the row; a narrow screen shows them without the column's name. */
  isAction?: boolean
}

export type ListingProps<Item> = {
  /** The name of the table for screen readers. */
  label: string
  columns: readonly Column<Item>[]
  /** Undefined until they have arrived. */
  rows: readonly Item[] | undefined
  error?: unknown
  retry?: () => unknown
  /** Replaces the message of an error that has a plain cause. */
  explain?: (error: unknown) => ReactNode
  /** How many rows are drawn as placeholders. */
  expected?: number
  /** Whether a narrow screen names each cell; else it does so where a row has several figures. */
  isNamed?: boolean
  /** The page of an item, which its first column leads to. */
  to?: (item: Item) => string
  /** Rows of sums below the others, a cell for each column. */
  sums?: readonly Sums[]
  /** The chosen filters by their names in the address: with any, an empty list says that none fits. */
  filters?: FilterValues<string>
  empty: ReactNode
}

type Sums = { id: string; cells: readonly ReactNode[] }

/** A table; on a narrow screen each row is a block, whose first line has its name and its figure. */
export function Listing<Item extends { id: string }>(props: ListingProps<Item>) {
  const { label, columns, rows, error, retry, expected = 5, to, sums, empty, explain } = props
  if (error && !rows) {
    const explained = explain?.(error)
    if (explained) return explained
    return (
      <div className={styles['around']}>
        <Failing error={error} {...(retry && { retry })} />
      </div>
    )
  }
  const chosen = Object.keys(props.filters ?? {})
  if (rows?.length === 0) return chosen.length === 0 ? empty : <NoFit names={chosen} />
  // Several figures of a row are told apart only by the names of their columns.
  const { isNamed = columns.filter(({ isFigure }) => isFigure).length > 1 } = props
  return (
    <table
      className={styles['table']}
      aria-label={label}
      aria-busy={rows === undefined}
      data-named={isNamed}
    >
      <thead>
        <tr>
          {columns.map(({ title, isFigure, isAction }) => (
            <th key={title} scope="col" data-figure={isFigure} data-action={isAction}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows === undefined ? (
          <Placeholders columns={columns.length} rows={expected} />
        ) : (
          rows.map((item) => <Row key={item.id} {...{ item, columns, to }} />)
        )}
      </tbody>
      {rows && sums && (
        <tfoot>
          {sums.map(({ id, cells }) => (
            <tr key={id}>
              {columns.map(({ title, isFigure }, at) => (
                <td key={title} data-title={title} data-figure={isFigure}>
                  {cells[at]}
                </td>
              ))}
            </tr>
          ))}
        </tfoot>
      )}
    </table>
  )
}

type RowProps<Item> = {
  item: Item
  columns: readonly Column<Item>[]
  to: ((item: Item) => string) | undefined
}

function Row<Item>({ item, columns, to }: RowProps<Item>) {
  return (
    <tr data-link={to !== undefined}>
      {columns.map(({ title, cell, isFigure, isAction }, at) => (
        <td
          key={title}
          data-title={isAction ? undefined : title}
          data-action={isAction}
          data-figure={isFigure}
        >
          {at === 0 && to ? (
            <Link to={to(item)} className={styles['rowLink'] ?? ''}>
              {cell(item)}
            </Link>
          ) : (
            cell(item)
          )}
        </td>
      ))}
    </tr>
  )
}

function Placeholders({ columns, rows }: { columns: number; rows: number }) {
  const { t } = useTranslation()
  const places = Array.from({ length: rows }, (_, at) => at)
  return places.map((at) => (
    <tr key={at}>
      <td colSpan={columns}>
        {at === 0 && <span className={styles['hidden']}>{t('states.loading')}</span>}
        <Skeleton height={20} />
      </td>
    </tr>
  ))
}
