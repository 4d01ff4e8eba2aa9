import { NativeSelect, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { isKind, KINDS } from '../../parts/issuing/event_kinds.ts'
import { ShownOnce } from '../../parts/shown_once.tsx'
import { bodyOf, typedOf, WebhookFields } from './fields.tsx'

/** What its status and the member's role allow. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const may = useMay()
  const isActive = webhook.status === 'ACTIVE'
  return (
    <>
      {isActive && may('pingWebhook') && <Ping id={webhook.id} />}
      {isActive && may('recoverWebhookDeliveries') && <Recover id={webhook.id} />}
      {may('rotateWebhookSecret') && <Rotate id={webhook.id} />}
      {may('updateWebhook') && <Change webhook={webhook} />}
      {may('updateWebhook') && <Switch webhook={webhook} />}
      {may('deleteWebhook') && <Delete id={webhook.id} />}
    </>
  )
}

function Ping({ id }: { id: string }) {
  const { t } = useTranslation()
  const params = { path: { id }, header: once() }
  return (
    <Act
      label={t('webhooks.ping')}
      text={t('webhooks.ping_text')}
      act={() => answered(issuing.POST('/webhooks/{id}:ping', { params }))}
      isMain
    />
  )
}

const DAY_MS = 86_400_000

/** As an input of the browser takes it: the reader's own clock, to the minute. */
function localText(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

function Recover({ id }: { id: string }) {
  const { t } = useTranslation()
  const [since, setSince] = useState(() => localText(new Date(Date.now() - DAY_MS)))
  const [kind, setKind] = useState('')
  const [found, setFound] = useState<number>()
  const act = () => {
    const events = isKind(kind) ? { events: [kind] } : {}
    const body = { since: new Date(since).toISOString(), ...events }
    const params = { path: { id }, header: once() }
    return answered(issuing.POST('/webhooks/{id}:recover', { body, params }))
  }
  return (
    <>
      <Act
        label={t('webhooks.recover')}
        text={t('webhooks.recover_text')}
        act={act}
        onDone={({ recovered }) => setFound(recovered)}
      >
        <TextInput
          type="datetime-local"
          label={t('webhooks.since')}
          required
          withAsterisk={false}
          value={since}
          onChange={({ currentTarget }) => setSince(currentTarget.value)}
        />
        <NativeSelect
          label={t('events.kind')}
          value={kind}
          data={[{ value: '', label: t('filters.all') }, ...KINDS]}
          onChange={({ currentTarget }) => setKind(currentTarget.value)}
        />
      </Act>
      {found !== undefined && <p role="status">{t('webhooks.recovered', { count: found })}</p>}
    </>
  )
}

function Rotate({ id }: { id: string }) {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<string>()
  const params = { path: { id }, header: once() }
  return (
    <>
      <Act
        label={t('webhooks.rotate')}
        text={t('webhooks.rotate_text')}
        act={() => answered(issuing.POST('/webhooks/{id}:rotateSecret', { params }))}
        onDone={(answer) => setSecret(answer.secret)}
      />
      <ShownOnce
        title={t('webhooks.secret_title')}
        text={t('webhooks.secret_text')}
        label={t('webhooks.secret')}
        value={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}

function Change({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(webhook))
  const params = { path: { id: webhook.id } }
  return (
    <Act
      label={t('webhooks.change')}
      text={t('webhooks.change_text')}
      submit={t('actions.save')}
      act={() => answered(issuing.PUT('/webhooks/{id}', { body: bodyOf(typed), params }))}
    >
      <WebhookFields typed={typed} onChange={setTyped} />
    </Act>
  )
}

/** The other of the two statuses. */
function Switch({ webhook: { id, status } }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const isActive = status === 'ACTIVE'
  const body = { status: isActive ? ('DISABLED' as const) : ('ACTIVE' as const) }
  const params = { path: { id } }
  return (
    <Act
      label={isActive ? t('webhooks.disable') : t('webhooks.enable')}
      text={isActive ? t('webhooks.disable_text') : t('webhooks.enable_text')}
      act={() => answered(issuing.PUT('/webhooks/{id}', { body, params }))}
      isDangerous={isActive}
    />
  )
}

function Delete({ id }: { id: string }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const params = { path: { id } }
  return (
    <Act
      label={t('webhooks.delete')}
      text={t('webhooks.delete_text')}
      act={() => answered(issuing.DELETE('/webhooks/{id}', { params }))}
      onDone={() => void navigate({ to: '/webhooks' })}
      isDangerous
    />
  )
}
