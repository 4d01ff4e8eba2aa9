/** Filters of a list. They are kept in the address, so that a link shows the same rows. */

import { Button, NativeSelect, TextInput } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './filters.module.css'

export type FilterValues<Name extends string> = Partial<Record<Name, string>>

/**
 * The chosen values by their names in the query of the address; a filter without a value is absent.
 */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const chosen = names.flatMap((name) => {
    // The router reads digits in a link as a number.
    const value = search[name]
    const isChosen = typeof value === 'number' || (typeof value === 'string' && value !== '')
    return isChosen ? [[name, String(value)] as const] : []
  })
  const set = (name: Name, value: string) => {
    const next = { ...search, [name]: value === '' ? undefined : value }
    void navigate({ to: '.', search: next, replace: true })
  }
  return { values: Object.fromEntries(chosen) as FilterValues<Name>, set }
}

/** The tenant that the operator acts for is in the address too, and filters nothing. */
const OF_ADDRESS = 'tenant'

/** A row above a list. On a narrow screen it opens by a button, at first where one is chosen. */
export function Filters({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const id = useId()
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const chosen = Object.keys(search).filter((name) => name !== OF_ADDRESS)
  const [isOpen, setOpen] = useState(chosen.length > 0)
  return (
    <search aria-label={t('filters.title')}>
      <div className={styles['opener']}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconFilter size={14} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {t('filters.title')}
        </Button>
      </div>
      <div id={id} className={styles['filters']} data-open={isOpen}>
        {children}
      </div>
    </search>
  )
}

type FilterProps = {
  label: string
  value: string | undefined
  onChange: (value: string) => void
}

type FilterSelectProps = FilterProps & {
  /** The option that includes every value. */
  all: string
  data: readonly (string | { value: string; label: string })[]
  /** Whether another filter leaves this one without effect. */
  isOff?: boolean
}

export function FilterSelect(props: FilterSelectProps) {
  const { label, value, onChange, all, data, isOff = false } = props
  return (
    <NativeSelect
      label={label}
      disabled={isOff}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...data]}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

type FilterTextProps = FilterProps & {
  placeholder?: string
  maxLength?: number
  /** Makes of what is typed what the API reads. */
  read?: (text: string) => string
}

const trimmed = (text: string): string => text.trim()

/** Ids and names are shorter: the API refuses what is longer. */
const FILTER_LENGTH = 100

/** Takes effect when the field is left or Enter is pressed, not with each letter. */
export function FilterText(props: FilterTextProps) {
  const { label, value = '', onChange, maxLength = FILTER_LENGTH, read = trimmed, ...rest } = props
  const field = useRef<HTMLInputElement>(null)
  // The address changes it too. A new field would lose the focus of who has pressed Enter.
  useEffect(() => {
    if (field.current) field.current.value = value
  }, [value])
  const take = (text: string) => {
    if (read(text) !== value) onChange(read(text))
  }
  return (
    <TextInput
      ref={field}
      label={label}
      defaultValue={value}
      maxLength={maxLength}
      dir="auto"
      onBlur={({ currentTarget }) => take(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && take(currentTarget.value)}
      {...rest}
    />
  )
}

/** A day of the reader's clock. */
export function FilterDay({ label, value, onChange }: FilterProps) {
  return (
    <TextInput
      type="date"
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
