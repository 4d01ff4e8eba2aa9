import { Button, Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useActing } from '../api/acting.ts'
import { changeTenant, useMay } from '../api/session.ts'
import { allTenants } from '../api/tenants.ts'
import type { Tenant } from '../api/types.ts'
import { Failing } from '../parts/failing.tsx'
import { Code } from '../parts/values.tsx'
import { Waiting } from '../parts/waiting.tsx'
import styles from './acting.module.css'

const SHOWN = 50

/** Chooses the tenant that a member of the operator's team acts for. */
export function TenantChooser() {
  const { t } = useTranslation()
  const may = useMay()
  const acting = useActing()
  const [isOpen, { open, close }] = useDisclosure()
  if (!may('listTenants')) return null
  const shown = acting?.name ?? t('operator.no_tenant')
  const choose = ({ id, name }: Tenant) => {
    changeTenant({ id, name })
    close()
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        className={styles['chooser'] ?? ''}
        rightSection={<IconSelector size={14} aria-hidden />}
        aria-haspopup="dialog"
        aria-label={`${shown} · ${t('operator.choose')}`}
        onClick={open}
      >
        <bdi>{shown}</bdi>
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('operator.choose')}
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <Search onChoose={choose} present={acting?.id} />
      </Modal>
    </>
  )
}

type SearchProps = { onChoose: (tenant: Tenant) => void; present: string | undefined }

function Search({ onChoose, present }: SearchProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const { data, error, refetch } = useQuery(allTenants)
  const sought = text.trim().toLowerCase()
  const found = data?.filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(sought))
  return (
    <>
      <TextInput
        data-autofocus
        label={t('operator.find_tenant')}
        value={text}
        autoComplete="off"
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {error && <Failing error={error} retry={refetch} />}
      {!found && !error && <Waiting height={120} />}
      {found?.length === 0 && <p className={styles['none']}>{t('operator.no_such_tenant')}</p>}
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
