import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Act } from '../act.tsx'
import { Facts } from '../facts.tsx'
import { Panel } from '../panel.tsx'

const KINDS = ['countries', 'mccs', 'merchants'] as const
type Kind = (typeof KINDS)[number]

const MOST = 200
const params = { query: { limit: MOST } }

type Named = { id: string; name: string }

const READERS: Readonly<Record<Kind, () => Promise<{ data: Named[] }>>> = {
  countries: () => answered(issuing.GET('/allowedcountries', { params })),
  mccs: () => answered(issuing.GET('/allowedmccs', { params })),
  merchants: () => answered(issuing.GET('/allowedmerchants', { params })),
}

/** The lists of a card or a card product; one that is absent names no list. */
type ListIds = {
  allowed_countries_id?: string
  allowed_mccs_id?: string
  allowed_merchants_id?: string
}

/** What is sent; null names no list any more. */
type ListChanges = Record<keyof ListIds, string | null>

const memberOf = (kind: Kind) => `allowed_${kind}_id` as const

function useLists(kind: Kind): readonly Named[] {
  const { data } = useQuery({ queryKey: ['lists', kind, 'all'], queryFn: READERS[kind] })
  return data?.data ?? []
}

type AllowedListsProps = {
  ids: ListIds
  /** Absent where the role or the object allows no change. */
  save?: ((changes: ListChanges) => Promise<unknown>) | undefined
}

/** Which countries, categories and merchants are allowed, by lists of the page Controls. */
export function AllowedLists({ ids, save }: AllowedListsProps) {
  const { t } = useTranslation()
  return (
    <Panel title={t('allowed.title')} actions={save && <Choose ids={ids} save={save} />}>
      <Facts
        rows={KINDS.map((kind) => [
          t(`allowed.${kind}`),
          <ListName key={kind} kind={kind} id={ids[memberOf(kind)]} />,
        ])}
      />
    </Panel>
  )
}

function ListName({ kind, id }: { kind: Kind; id: string | undefined }) {
  const { t } = useTranslation()
  const lists = useLists(kind)
  if (id === undefined) return t('allowed.no_list')
  return <bdi>{lists.find((list) => list.id === id)?.name ?? id}</bdi>
}

type ChooseProps = { ids: ListIds; save: (changes: ListChanges) => Promise<unknown> }

function Choose({ ids, save }: ChooseProps) {
  const { t } = useTranslation()
  const [chosen, choose] = useState<ListIds>({})
  const of = (kind: Kind) => chosen[memberOf(kind)] ?? ids[memberOf(kind)] ?? ''
  const orNull = (id: string) => (id === '' ? null : id)
  return (
    <Act
      label={t('allowed.choose')}
      text={t('allowed.choose_text')}
      submit={t('actions.save')}
      act={() =>
        save({
          allowed_countries_id: orNull(of('countries')),
          allowed_mccs_id: orNull(of('mccs')),
          allowed_merchants_id: orNull(of('merchants')),
        })
      }
      onDone={() => choose({})}
    >
      {KINDS.map((kind) => (
        <ListField
          key={kind}
          kind={kind}
          value={of(kind)}
          onChange={(id) => choose({ ...chosen, [memberOf(kind)]: id })}
        />
      ))}
    </Act>
  )
}

type ListFieldProps = { kind: Kind; value: string; onChange: (id: string) => void }

function ListField({ kind, value, onChange }: ListFieldProps) {
  const { t } = useTranslation()
  const lists = useLists(kind)
  return (
    <NativeSelect
      label={t(`allowed.${kind}`)}
      data={[
        { value: '', label: t('allowed.no_list') },
        ...lists.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
