import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { Act } from '../../parts/act.tsx'
import { KINDS } from '../../parts/issuing/event_kinds.ts'

/** A receiver and a webhook to it; if the second call fails, the receiver is removed again. */
async function createPair(key: string): Promise<string> {
  const made = await answered(issuing.simulation.createWebhookReceiver({}, { idempotencyKey: key }))
  try {
    const body = { endpoint: made.url, events: [...KINDS] }
    await answered(issuing.webhooks.create(body, { idempotencyKey: key }))
  } catch (error) {
    // If no answer came, the webhook may exist: another press sends the same keys and ends it.
    if (!problemOf(error).isDecided) throw error
    const { id } = made
    await answered(issuing.simulation.deleteWebhookReceiver(id))
    throw error
  }
  return made.id
}

/** Subscribes a server of the sandbox to every event, and shows it. */
export function TryIt() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (
    <Act
      label={t('receiver.try')}
      text={t('receiver.try_text')}
      submit={t('receiver.try_submit')}
      act={createPair}
      onDone={(id) => void navigate({ to: `/webhooks/receivers/${id}` })}
    />
  )
}
