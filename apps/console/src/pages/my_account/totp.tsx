import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, portal } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import styles from './my_account.module.css'
import { OwnPassword } from './own_password.tsx'
import { RecoveryCodes } from './recovery_codes.tsx'
import { SetUpTotp } from './set_up_totp.tsx'

/** The authenticator and its recovery codes. */
export function Totp() {
  const { t } = useTranslation()
  const [codes, setCodes] = useState<readonly string[]>()
  const { data, error, refetch } = useQuery({
    queryKey: ['second_factors'],
    queryFn: () => answered(portal.secondFactors.get()),
  })
  return (
    <Panel title={t('me.totp')}>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={72} />}
      {data && (
        <div className={styles['around']}>
          <p>{data.totp ? t('me.totp_on', { count: data.recovery_codes }) : t('me.totp_off')}</p>
          {data.totp ? <RemoveTotp /> : <SetUpTotp onDone={setCodes} />}
        </div>
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
    </Panel>
  )
}

function RemoveTotp() {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  return (
    <Act
      label={t('me.remove_totp')}
      text={t('me.remove_totp_text')}
      act={() => answered(portal.secondFactors.deleteTotp({ password }))}
      onDone={() => setPassword('')}
      isDangerous
    >
      <OwnPassword value={password} onChange={setPassword} />
    </Act>
  )
}
