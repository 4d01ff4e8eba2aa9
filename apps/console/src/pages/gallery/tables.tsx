import { IconArrowsExchange } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { Empty } from '../../parts/empty.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Money, Status, When } from '../../parts/values.tsx'
import styles from './gallery.module.css'
import { PROBLEM, SAMPLES, type Sample } from './samples.ts'

const to = () => '/parts'

/** A table that is full, loads, is empty, fails, is read in pages, and has several figures. */
export function TableParts() {
  const { t } = useTranslation()
  const columns = useColumns()
  const amount = columns.at(-1)
  const named = amount ? [...columns, { ...amount, title: t('fields.balance') }] : columns
  const empty = (
    <Empty
      icon={IconArrowsExchange}
      title={t('gallery.nothing')}
      text={t('gallery.nothing_text')}
    />
  )
  const error = new Problem(503, { ...PROBLEM, errors: [] })
  const shape = (name: 'full' | 'loading' | 'empty' | 'failing') => (
    <Panel title={`${t('gallery.sections.tables')}: ${t(`gallery.shapes.${name}`)}`} flush>
      <Listing
        label={t(`gallery.shapes.${name}`)}
        columns={columns}
        rows={{ full: SAMPLES, loading: undefined, empty: [], failing: undefined }[name]}
        error={name === 'failing' ? error : undefined}
        retry={to}
        expected={3}
        to={to}
        empty={empty}
      />
    </Panel>
  )
  return (
    <>
      {shape('full')}
      <div className={styles['pair']}>
        {shape('loading')}
        {shape('empty')}
      </div>
      {shape('failing')}
      <Panel title={`${t('gallery.sections.tables')}: ${t('gallery.shapes.paged')}`} flush>
        <Paged
          label={t('gallery.shapes.paged')}
          queryKey={['gallery']}
          read={async () => ({ data: [...SAMPLES], has_more: true, after: 'next' })}
          columns={named}
          empty={empty}
        />
      </Panel>
    </>
  )
}

function useColumns(): Column<Sample>[] {
  const { t } = useTranslation()
  return [
    { title: t('fields.merchant'), cell: ({ merchant }) => <bdi>{merchant}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.created'), cell: ({ at }) => <When at={at} /> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
}
