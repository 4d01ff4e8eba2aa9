import { Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allTenants } from '../api/tenants.ts'
import type { Tenant } from '../api/types.ts'
import { Failing } from '../parts/failing.tsx'
import { Code } from '../parts/values.tsx'
import { Waiting } from '../parts/waiting.tsx'
import styles from './acting.module.css'

const SHOWN = 50

type SearchProps = { onChoose: (tenant: Tenant) => void; present: string | undefined }
type TenantDialogProps = SearchProps & { isOpen: boolean; onClose: () => void }

/** Finds a tenant by its name or id. */
export function TenantDialog({ isOpen, onClose, ...rest }: TenantDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={t('acting.choose')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <TenantSearch {...rest} />
    </Modal>
  )
}

/** The tenants whose names or ids have what is typed. */
export function TenantSearch({ onChoose, present }: SearchProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const { data, error, refetch } = useQuery(allTenants)
  const sought = text.trim().toLowerCase()
  const found = data?.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(sought))
  return (
    <>
      <TextInput
        data-autofocus
        label={t('acting.find')}
        value={text}
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {error && <Failing error={error} retry={refetch} />}
      {!found && !error && <Waiting height={120} />}
      {found?.length === 0 && <p className={styles['none']}>{t('acting.not_found')}</p>}
      {found && found.length > 0 && (
        <ul className={styles['found']}>
          {found.slice(0, SHOWN).map((tenant) => (
            <li key={tenant.id}>
              <button
                type="button"
                className={styles['tenant']}
                aria-current={tenant.id === present}
                onClick={() => onChoose(tenant)}
              >
                <span dir="auto">{tenant.name}</span>
                <span className={styles['id']}>
                  <Code>{tenant.id.slice(-12)}</Code>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
