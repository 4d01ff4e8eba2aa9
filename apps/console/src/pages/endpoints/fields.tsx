import { useTranslation } from 'react-i18next'
import type { EndpointEvent } from '../../api/types.ts'
import { TextInput } from '../../parts/fields.tsx'
import { KindsField } from '../../parts/hooks/kinds_field.tsx'
import { ENDPOINT_KINDS, type Endpoint } from './endpoint_calls.ts'

export type Typed = { url: string; events: readonly EndpointEvent[] }

export const NEW: Typed = { url: '', events: ENDPOINT_KINDS }

export const typedOf = ({ endpoint, events }: Endpoint): Typed => ({
  url: endpoint,
  events: ENDPOINT_KINDS.filter((kind) => events.includes(kind)),
})

export const bodyOf = ({ url, events }: Typed) => ({ url: url.trim(), events: [...events] })

type FieldsProps = { typed: Typed; onChange: (typed: Typed) => void }

export function EndpointFields({ typed, onChange }: FieldsProps) {
  const { t } = useTranslation()
  return (
    <>
      <TextInput
        path="url"
        type="url"
        dir="ltr"
        autoComplete="off"
        label={t('webhooks.endpoint')}
        description={t('webhooks.endpoint_hint')}
        placeholder="https://shop.example/events"
        required
        withAsterisk={false}
        value={typed.url}
        onChange={({ currentTarget }) => onChange({ ...typed, url: currentTarget.value })}
      />
      <KindsField
        kinds={ENDPOINT_KINDS}
        chosen={typed.events}
        onChange={(events) => onChange({ ...typed, events })}
      />
    </>
  )
}
