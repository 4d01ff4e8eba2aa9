import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Match } from '../../api/versions.ts'
import type { Changes } from '../edit/changes.ts'
import { Edit } from '../edit/edit.tsx'
import { Facts } from '../facts.tsx'
import { Panel } from '../panel.tsx'

const KINDS = ['countries', 'mccs', 'merchants'] as const
type Kind = (typeof KINDS)[number]

const MOST = 200

type Named = { id: string; name: string }

const READERS: Readonly<Record<Kind, () => Promise<{ data: Named[] }>>> = {
  countries: () => answered(issuing.lists.listAllowedCountryLists({ limit: MOST })),
  mccs: () => answered(issuing.lists.listAllowedMccLists({ limit: MOST })),
  merchants: () => answered(issuing.lists.listAllowedMerchantLists({ limit: MOST })),
}

/** The lists of a card or a card product; one that is absent names no list. */
type ListIds = {
  allowed_countries_id?: string
  allowed_mccs_id?: string
  allowed_merchants_id?: string
}

/** The body that is sent; null removes the list. */
type ListChanges = Record<keyof ListIds, string | null>

const memberOf = (kind: Kind) => `allowed_${kind}_id` as const

function useLists(kind: Kind): readonly Named[] {
  const { data } = useQuery({ queryKey: ['lists', kind, 'all'], queryFn: READERS[kind] })
  return data?.data ?? []
}

type Save = (changes: Changes<ListChanges>, match: Match) => Promise<unknown>

type AllowedListsProps = {
  /** The card or the product. */
  ids: ListIds
  read: () => Promise<ListIds>
  /** Absent if the role or the object allows no change. */
  save?: Save | undefined
}

/** The allowed countries, categories and merchants, by lists of the page Controls. */
export function AllowedLists({ ids, read, save }: AllowedListsProps) {
  const { t } = useTranslation()
  return (
    <Panel
      title={t('allowed.title')}
      actions={save && <Choose ids={ids} read={read} save={save} />}
    >
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

type ChooseProps = { ids: ListIds; read: () => Promise<ListIds>; save: Save }

type Chosen = Record<Kind, string>

const chosenOf = (ids: ListIds): Chosen => ({
  countries: ids.allowed_countries_id ?? '',
  mccs: ids.allowed_mccs_id ?? '',
  merchants: ids.allowed_merchants_id ?? '',
})

const orNull = (id: string) => (id === '' ? null : id)

const bodyOf = ({ countries, mccs, merchants }: Chosen): ListChanges => ({
  allowed_countries_id: orNull(countries),
  allowed_mccs_id: orNull(mccs),
  allowed_merchants_id: orNull(merchants),
})

function Choose({ ids, read, save }: ChooseProps) {
  const { t } = useTranslation()
  const [chosen, choose] = useState(() => chosenOf(ids))
  return (
    <Edit
      label={t('allowed.choose')}
      text={t('allowed.choose_text')}
      item={ids}
      typed={chosen}
      setTyped={choose}
      typedOf={chosenOf}
      labels={{
        countries: useLabel('countries'),
        mccs: useLabel('mccs'),
        merchants: useLabel('merchants'),
      }}
      {...{ read, bodyOf, save }}
    >
      {KINDS.map((kind) => (
        <ListField
          key={kind}
          kind={kind}
          value={chosen[kind]}
          onChange={(id) => choose({ ...chosen, [kind]: id })}
        />
      ))}
    </Edit>
  )
}

function useLabel(kind: Kind) {
  const { t } = useTranslation()
  const lists = useLists(kind)
  const nameOf = (id: string) => lists.find((list) => list.id === id)?.name ?? id
  const textOf = (id: string) => (id === '' ? t('allowed.no_list') : nameOf(id))
  return { label: t(`allowed.${kind}`), textOf }
}

type ListFieldProps = { kind: Kind; value: string; onChange: (id: string) => void }

function ListField({ kind, value, onChange }: ListFieldProps) {
  const { t } = useTranslation()
  const lists = useLists(kind)
  const isListed = value === '' || lists.some(({ id }) => id === value)
  return (
    <NativeSelect
      label={t(`allowed.${kind}`)}
      data={[
        { value: '', label: t('allowed.no_list') },
        // Without an option of its own, the list that is linked would be shown as none.
        ...(isListed ? [] : [{ value, label: value }]),
        ...lists.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
