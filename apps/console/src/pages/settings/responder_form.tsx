import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Settings } from '../../api/types.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { plainDigits } from '../../parts/typed_text.ts'
import { readSettings, updateSettings } from './calls.ts'

type Typed = { how: string; url: string; timeout_ms: string; default_action: string }

type ResponderFormProps = {
  settings: Settings
  /** The secret with which its questions are signed, where the change has made one. */
  onSecret: (secret: string) => void
}

export function ResponderForm({ settings, onSecret }: ResponderFormProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: typedOf(settings) })
  return (
    <Edit
      label={settings.responder ? t('responder.change') : t('responder.set_up')}
      text={t('responder.form_text')}
      item={settings}
      read={readSettings}
      typed={form.values}
      setTyped={form.setValues}
      typedOf={typedOf}
      bodyOf={(typed) => ({ responder: responderOf(typed) })}
      labels={{
        how: {
          label: t('responder.how'),
          textOf: (how) => (how === 'url' ? t('responder.url') : t('responder.listener')),
        },
        url: t('responder.url'),
        timeout_ms: t('responder.timeout'),
        default_action: t('responder.default_action'),
      }}
      save={updateSettings}
      onDone={(answer) => {
        const secret = answer?.responder?.secret
        if (secret !== undefined) onSecret(secret)
      }}
    >
      <NativeSelect
        label={t('responder.how')}
        data={[
          { value: 'url', label: t('responder.url') },
          { value: 'listener', label: t('responder.listener') },
        ]}
        {...form.getInputProps('how')}
      />
      {form.values.how === 'url' && (
        <TextInput
          type="url"
          dir="ltr"
          required
          withAsterisk={false}
          label={t('responder.url')}
          description={t('responder.url_hint')}
          {...form.getInputProps('url')}
        />
      )}
      <TextInput
        dir="ltr"
        inputMode="numeric"
        label={t('responder.timeout')}
        description={t('responder.timeout_hint')}
        {...form.getInputProps('timeout_ms')}
      />
      <NativeSelect
        label={t('responder.default_action')}
        description={t('responder.default_hint')}
        data={['DECLINE', 'APPROVE']}
        {...form.getInputProps('default_action')}
      />
    </Edit>
  )
}

const typedOf = ({ responder }: Settings): Typed => ({
  how: responder?.listener ? 'listener' : 'url',
  url: responder?.url ?? '',
  timeout_ms: responder?.timeout_ms === undefined ? '' : String(responder.timeout_ms),
  default_action: responder?.default_action ?? 'DECLINE',
})

function responderOf({ how, url, timeout_ms, default_action }: Typed) {
  return {
    ...(how === 'url' ? { url: url.trim() } : { listener: true }),
    ...(timeout_ms.trim() !== '' && { timeout_ms: Number(plainDigits(timeout_ms)) }),
    default_action: default_action === 'APPROVE' ? ('APPROVE' as const) : ('DECLINE' as const),
  }
}
