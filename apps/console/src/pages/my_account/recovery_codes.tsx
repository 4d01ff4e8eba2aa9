import { Button, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Copy } from '../../parts/copy.tsx'
import { Code } from '../../parts/values.tsx'
import styles from './my_account.module.css'

type RecoveryCodesProps = { codes: readonly string[] | undefined; onClose: () => void }

/** Each signs in once in place of the authenticator; they are shown this once. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={codes !== undefined}
      onClose={onClose}
      title={t('me.recovery')}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={styles['enrol']}>
        <p>{t('me.recovery_text')}</p>
        <ul className={styles['codes']}>
          {codes?.map((code) => (
            <li key={code}>
              <Code>{code}</Code>
            </li>
          ))}
        </ul>
        <div className={styles['buttons']}>
          <Copy text={codes?.join('\n') ?? ''} size="sm" />
          <Button onClick={onClose}>{t('me.stored')}</Button>
        </div>
      </div>
    </Modal>
  )
}
