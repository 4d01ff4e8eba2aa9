import { Drawer } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { curlOf, hearCalls, MOST_CALLS, readCalls } from '../api/calls.ts'
import { Block } from '../parts/block.tsx'
import styles from './shell.module.css'

type ApiCallsProps = { isOpen: boolean; onClose: () => void }

/** The calls of the page, newest first, each as a command to copy. */
export function ApiCalls({ isOpen, onClose }: ApiCallsProps) {
  const { t, i18n } = useTranslation()
  const calls = useSyncExternalStore(hearCalls, readCalls)
  const hasPortal = calls.some(({ path }) => path.startsWith('/portal/'))
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position={i18n.dir() === 'rtl' ? 'left' : 'right'}
      size="lg"
      title={t('api.title')}
      closeButtonProps={{ 'aria-label': t('api.close') }}
    >
      <p className={styles['apiLead']}>{calls.length === 0 ? t('api.none') : t('api.lead')}</p>
      {calls.length === MOST_CALLS && (
        <p className={styles['apiLead']}>{t('api.newest', { count: MOST_CALLS })}</p>
      )}
      {hasPortal && <p className={styles['apiLead']}>{t('api.portal')}</p>}
      <div className={styles['calls']}>
        {calls.toReversed().map((call) => {
          const outcome = call.status === 0 ? t('api.pending') : `${call.status} · ${call.ms} ms`
          const label = `${call.method} ${call.path.split('?')[0]} · ${outcome}`
          return <Block key={call.id} label={label} text={curlOf(call)} />
        })}
      </div>
    </Drawer>
  )
}
