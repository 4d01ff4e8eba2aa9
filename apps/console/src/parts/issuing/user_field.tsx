import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { User } from '../../api/types.ts'

const SHOWN = 20
const PAUSE_MS = 250

export function nameOfUser(user: User): string {
  const { company_name, business_legal_name, first_name, last_name, id } = user
  const name = [first_name, last_name].filter(Boolean).join(' ')
  return company_name ?? business_legal_name ?? (name || id)
}

const searched = (name: string) =>
  name === ''
    ? answered(issuing.users.list({ limit: SHOWN }))
    : answered(issuing.users.search({ name, limit: SHOWN }))

export const readUser = (id: string): Promise<User> => answered(issuing.users.get(id))

/** How many names one request brings for a list; others are seen on the page of the object. */
const NAMED = 200

/** The newest users by name, so that a list needs no request for each row. */
export const userNames = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: async (): Promise<ReadonlyMap<string, string>> => {
    const { data } = await answered(issuing.users.list({ limit: NAMED }))
    return new Map(data.map((user) => [user.id, nameOfUser(user)]))
  },
})

type UserFieldProps = {
  label: string
  /** An id; '' where none is chosen. */
  value: string
  onChange: (id: string) => void
  placeholder?: string
  required?: boolean
}

/** The search of the API takes no more. */
const NAME_LENGTH = 200

/** Finds a user by the beginning of a name. */
export function UserField({ value, onChange, required = false, ...rest }: UserFieldProps) {
  const { t } = useTranslation()
  const may = useMay()
  const [text, setText] = useState('')
  const [typed] = useDebouncedValue(text.trim(), PAUSE_MS)
  const chosen = useQuery({
    queryKey: ['users', value],
    queryFn: () => readUser(value),
    enabled: value !== '',
  })
  const name = chosen.data ? nameOfUser(chosen.data) : ''
  // The field shows the name of who is chosen; that is no search.
  const asked = typed === name ? '' : typed
  const found = useQuery({
    queryKey: ['users', 'search', asked],
    queryFn: () => searched(asked),
    placeholderData: keepPreviousData,
    enabled: may('searchUsers'),
  })
  const users = found.data?.data ?? []
  const shown =
    chosen.data && !users.some(({ id }) => id === value) ? [chosen.data, ...users] : users
  return (
    <Select
      searchable
      maxLength={NAME_LENGTH}
      clearable={!required}
      required={required}
      withAsterisk={false}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchValue={text}
      onSearchChange={setText}
      data={shown.map((user) => ({ value: user.id, label: nameOfUser(user) }))}
      filter={({ options }) => options}
      nothingFoundMessage={t('cards.no_user')}
      // The list is in the dialog of the field: a screen reader does not read what is beside an
      // open dialog.
      comboboxProps={{ shadow: 'md', withinPortal: false }}
      clearButtonProps={{ 'aria-label': t('cards.clear') }}
      {...rest}
    />
  )
}
