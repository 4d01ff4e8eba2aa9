import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { problemOf } from '../../api/problem.ts'
import { Failing } from '../failing.tsx'
import { Page, type PageName } from '../page.tsx'
import { Columns } from './columns.tsx'

type ObjectPageProps<Item> = {
  /** The list that the object belongs to. */
  name: PageName
  /** One call, by the id in the address. */
  read: (id: string) => Promise<Item>
  /** The part of the object that the page is of. */
  part?: string
  /** How long until it is read again, while it changes by itself. */
  poll?: (item: Item) => number | false
  children: (item: Item) => ReactNode
}

/** The page of one object: reads it, and says what is wrong where it cannot. */
export function ObjectPage<Item>({ name, read, part, poll, children }: ObjectPageProps<Item>) {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const id = String(params['id'])
  const { data, error, refetch } = useQuery({
    queryKey: part === undefined ? [name, id] : [name, id, part],
    queryFn: () => read(id),
    refetchInterval: ({ state }) => (state.data && poll?.(state.data)) ?? false,
  })
  if (data !== undefined) return children(data)
  return (
    <Page name={name}>{error ? <Cause error={error} retry={refetch} /> : <Placeholder />}</Page>
  )
}

/** Another try brings no object that is not there. */
function Cause({ error, retry }: { error: Error; retry: () => unknown }) {
  const { t } = useTranslation()
  if (problemOf(error).status === 404) return <Failing error={error} plain={t('states.missing')} />
  return <Failing error={error} retry={retry} />
}

function Placeholder() {
  const { t } = useTranslation()
  return (
    <Columns facts={<Skeleton height={240} />}>
      <Skeleton height={320} role="status" aria-label={t('states.loading')} />
      <Skeleton height={240} />
    </Columns>
  )
}
