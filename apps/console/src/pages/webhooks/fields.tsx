import { useTranslation } from 'react-i18next'
import type { Webhook, WebhookEvent } from '../../api/types.ts'
import { TextInput } from '../../parts/fields.tsx'
import styles from '../../parts/hooks/hooks.module.css'
import { KindsField } from '../../parts/hooks/kinds_field.tsx'
import { isKind, KINDS } from '../../parts/issuing/event_kinds.ts'
import { PasswordField } from '../../parts/password_field.tsx'

export type Typed = {
  endpoint: string
  events: readonly WebhookEvent[]
  username: string
  password: string
}

export const NEW: Typed = { endpoint: '', events: ['TRANSACTION'], username: '', password: '' }

export const typedOf = ({ endpoint, events, config }: Webhook): Typed => ({
  endpoint,
  events: events.filter(isKind),
  username: config.basic_auth_username ?? '',
  password: '',
})

/** The answer has no password: it changes where one is typed, and goes with the user name. */
export function bodyOf({ endpoint, events, username, password }: Typed) {
  const secret = password === '' ? {} : { basic_auth_password: password }
  const none = { basic_auth_username: null, basic_auth_password: null }
  const config = username === '' ? none : { basic_auth_username: username, ...secret }
  return { endpoint: endpoint.trim(), events: [...events], config }
}

type FieldsProps = { typed: Typed; onChange: (typed: Typed) => void }

export function WebhookFields({ typed, onChange }: FieldsProps) {
  const { t } = useTranslation()
  const text = (name: 'endpoint' | 'username' | 'password') => ({
    dir: 'ltr' as const,
    autoComplete: 'off',
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <>
      <TextInput
        type="url"
        label={t('webhooks.endpoint')}
        description={t('webhooks.endpoint_hint')}
        placeholder="https://hooks.example.com/bezant"
        required
        withAsterisk={false}
        {...text('endpoint')}
      />
      <KindsField
        kinds={KINDS}
        chosen={typed.events}
        onChange={(events) => onChange({ ...typed, events })}
      />
      <div className={styles['pair']}>
        <TextInput label={t('webhooks.username')} {...text('username')} />
        <PasswordField label={t('webhooks.password')} {...text('password')} />
      </div>
      <p className={styles['hint']}>{t('webhooks.basic_hint')}</p>
    </>
  )
}
