import { NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Settings, SettingsChanges } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'

type Typed = { how: string; url: string; timeout_ms: string; default_action: string }

type ResponderFormProps = {
  responder: Settings['responder']
  /** The secret with which its questions are signed, where the change has made one. */
  onSecret: (secret: string) => void
}

export function ResponderForm({ responder, onSecret }: ResponderFormProps) {
  const { t } = useTranslation()
  const form = useForm({ initialValues: typedOf(responder) })
  const body: SettingsChanges = { responder: changesOf(form.values) }
  return (
    <Act
      label={responder ? t('responder.change') : t('responder.set_up')}
      text={t('responder.form_text')}
      submit={t('actions.save')}
      act={() => answered(issuing.PUT('/tenantsettings', { body }))}
      onDone={({ responder: made }) => made?.secret !== undefined && onSecret(made.secret)}
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
    </Act>
  )
}

const typedOf = (responder: Settings['responder']): Typed => ({
  how: responder?.listener ? 'listener' : 'url',
  url: responder?.url ?? '',
  timeout_ms: responder?.timeout_ms === undefined ? '' : String(responder.timeout_ms),
  default_action: responder?.default_action ?? 'DECLINE',
})

function changesOf({ how, url, timeout_ms, default_action }: Typed) {
  return {
    ...(how === 'url' ? { url: url.trim() } : { listener: true }),
    ...(timeout_ms.trim() !== '' && { timeout_ms: Number(timeout_ms) }),
    default_action: default_action === 'APPROVE' ? ('APPROVE' as const) : ('DECLINE' as const),
  }
}
