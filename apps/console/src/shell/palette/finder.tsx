import { CloseButton, Combobox, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBuildingBank, IconSearch, IconUserCog } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useActing } from '../../api/acting.ts'
import { useHasTenant, useMay, useSession } from '../../api/session.ts'
import { allTenants } from '../../api/tenants.ts'
import { Failing } from '../../parts/failing.tsx'
import { menu, needsTenant } from '../menu.ts'
import { type Choice, keepChosen, matches, readChosen } from './choices.ts'
import { useFound } from './found.ts'
import { Group } from './group.tsx'
import styles from './palette.module.css'

/** While a person types, nothing is asked for so long. */
const PAUSE_MS = 180

type FinderProps = { onClose: () => void }

/** Finds pages by their names, and any object by what is known of it. */
export function Finder({ onClose }: FinderProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [sought] = useDebouncedValue(text, PAUSE_MS)
  const member_id = useSession().data?.member.id ?? ''
  const pages = usePages().filter(({ title }) => matches(title, text))
  // The choices of one tenant are not offered for another.
  const place = `${member_id}${useActing()?.id ?? ''}`
  const tenants = useTenants(text)
  const chosen = text.trim() === '' ? readChosen(place) : []
  const { objects, isFetching, error } = useFound(sought)
  const combobox = useCombobox({ opened: true })
  const offered = [...chosen, ...objects, ...tenants, ...pages]
  const values = offered.map(({ value }) => value).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: other choices begin at the first.
  useEffect(() => {
    combobox.selectFirstOption()
  }, [values])

  const choose = (value: string) => {
    const choice = offered.find((one) => one.value === value)
    if (!choice) return
    if (choice.kind !== undefined) keepChosen(place, choice)
    onClose()
    void navigate({ to: choice.to, search: choice.search ?? {} })
  }
  const isWaiting = isFetching || sought !== text
  const hold = useHeldEnter(isWaiting, text, () => choose(offered[0]?.value ?? ''))
  const isFirst = () => combobox.getSelectedOptionIndex() <= 0
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <div onKeyDownCapture={(event) => isFirst() && hold(event)}>
        <Field text={text} onChange={setText} onClose={onClose} />
      </div>
      <div className={styles['found']}>
        {error !== null && <Failing error={error} />}
        <Combobox.Options aria-label={t('search.results')}>
          <Group label={t('search.recent')} choices={chosen} />
          <Group label={t('search.objects')} choices={objects} />
          <Group label={t('pages.tenants')} choices={tenants} />
          <Group label={t('search.pages')} choices={pages} />
        </Combobox.Options>
        <p role="status" className={styles['state']}>
          {offered.length === 0 && (isWaiting ? t('states.loading') : t('search.nothing'))}
        </p>
      </div>
    </Combobox>
  )
}

/**
 * Enter takes the first of what is found for the text in the field. While only the choices of an
 * earlier text are shown, the key waits.
 */
function useHeldEnter(isWaiting: boolean, text: string, take: () => void) {
  const [held, hold] = useState<string>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `take` is another one at each render.
  useEffect(() => {
    if (held === undefined || isWaiting) return
    hold(undefined)
    if (held === text) take()
  }, [held, isWaiting, text])
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !isWaiting) return
    event.preventDefault()
    event.stopPropagation()
    hold(text)
  }
}

type FieldProps = { text: string; onChange: (text: string) => void; onClose: () => void }

function Field({ text, onChange, onClose }: FieldProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['field']}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          data-autofocus
          variant="unstyled"
          className={styles['input'] ?? ''}
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
          value={text}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          maxLength={100}
          // The options are always open, and would keep the key from the dialog.
          onKeyDown={({ key }) => key === 'Escape' && onClose()}
          autoComplete="off"
          spellCheck={false}
        />
      </Combobox.EventsTarget>
      <CloseButton aria-label={t('actions.close')} onClick={onClose} />
    </div>
  )
}

const TENANTS_SHOWN = 5

/** Tenants of the platform, for members of the operator's team. */
function useTenants(text: string): Choice[] {
  const may = useMay()
  const { data = [] } = useQuery({ ...allTenants, enabled: may('listTenants') })
  if (text.trim() === '') return []
  return data
    .filter(({ name }) => matches(name, text))
    .slice(0, TENANTS_SHOWN)
    .map(({ id, name }) => ({
      title: name,
      to: `/tenants/${id}`,
      value: id,
      icon: IconBuildingBank,
    }))
}

/** The pages that the member's role can use, of a tenant only if there is one. */
function usePages(): Choice[] {
  const { t } = useTranslation()
  const may = useMay()
  const hasTenant = useHasTenant()
  const entries = menu
    .flatMap((group) => group.entries)
    .filter(({ name, operation }) => may(operation) && (hasTenant || !needsTenant(name)))
    .map(({ name, path, icon }) => ({ title: t(`pages.${name}`), to: path, value: path, icon }))
  const account = { title: t('pages.my_account'), to: '/account', value: '/account' }
  return [...entries, { ...account, icon: IconUserCog }]
}
