import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSelector } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useActing } from '../api/acting.ts'
import { changeTenant, useMay } from '../api/session.ts'
import type { Tenant } from '../api/types.ts'
import styles from './acting.module.css'

/** Loaded when it is first opened: no page needs it before. */
const Dialog = lazy(async () => ({ default: (await import('./tenant_dialog.tsx')).TenantDialog }))

/** Chooses the tenant that a member of the operator's team acts for. */
export function TenantChooser() {
  const { t } = useTranslation()
  const may = useMay()
  const acting = useActing()
  const [isOpen, { open, close }] = useDisclosure()
  const [isWanted, setWanted] = useState(false)
  if (!may('listTenants')) return null
  const shown = acting ? acting.name || acting.id : t('acting.none')
  const begin = () => {
    setWanted(true)
    open()
  }
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
        aria-label={`${shown} · ${t('acting.choose')}`}
        onClick={begin}
      >
        <bdi>{shown}</bdi>
      </Button>
      {isWanted && (
        <Suspense>
          <Dialog isOpen={isOpen} onClose={close} onChoose={choose} present={acting?.id} />
        </Suspense>
      )}
    </>
  )
}
