import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCode } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './shell.module.css'

/** Loaded when it is first opened: no page needs it before. */
const Calls = lazy(async () => ({ default: (await import('./api_calls.tsx')).ApiCalls }))

/** The button of the drawer "API", which lists the calls of the page (D-593). */
export function ApiDrawer() {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  const [isWanted, setWanted] = useState(false)
  const begin = () => {
    setWanted(true)
    open()
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCode size={16} aria-hidden />}
        className={styles['api'] ?? ''}
        onClick={begin}
      >
        {t('api.button')}
      </Button>
      {isWanted && (
        <Suspense>
          <Calls isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
