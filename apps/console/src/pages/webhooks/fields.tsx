import { Button, Checkbox, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Webhook, WebhookEvent } from '../../api/types.ts'
import { isKind, KINDS, kindsByGroup } from '../../parts/issuing/event_kinds.ts'
import { PasswordField } from '../../parts/password_field.tsx'
import { Code } from '../../parts/values.tsx'
import styles from './webhooks.module.css'

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
  const basic = { basic_auth_username: username, basic_auth_password: password }
  const none = { basic_auth_username: null, basic_auth_password: null }
  const config = username === '' ? { config: none } : password === '' ? {} : { config: basic }
  return { endpoint: endpoint.trim(), events: [...events], ...config }
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
      <Kinds chosen={typed.events} onChange={(events) => onChange({ ...typed, events })} />
      <div className={styles['pair']}>
        <TextInput label={t('webhooks.username')} {...text('username')} />
        <PasswordField label={t('webhooks.password')} {...text('password')} />
      </div>
      <p className={styles['hint']}>{t('webhooks.basic_hint')}</p>
    </>
  )
}

type KindsProps = {
  chosen: readonly WebhookEvent[]
  onChange: (chosen: readonly WebhookEvent[]) => void
}

function Kinds({ chosen, onChange }: KindsProps) {
  const { t } = useTranslation()
  const isAll = chosen.length === KINDS.length
  return (
    <Checkbox.Group
      label={t('webhooks.kinds')}
      value={[...chosen]}
      onChange={(values) => onChange(values.filter(isKind))}
    >
      <div className={styles['kinds']}>
        <Button size="xs" variant="default" onClick={() => onChange(isAll ? [] : KINDS)}>
          {isAll ? t('webhooks.choose_none') : t('webhooks.choose_all')}
        </Button>
        {kindsByGroup.map(([group, kinds]) => (
          <fieldset key={group}>
            <legend>{t(`webhooks.groups.${group}`)}</legend>
            {kinds.map((kind) => (
              <Checkbox key={kind} value={kind} label={<Code>{kind}</Code>} />
            ))}
          </fieldset>
        ))}
      </div>
    </Checkbox.Group>
  )
}
