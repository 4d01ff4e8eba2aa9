import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { AuditRecord, Event } from '../../api/types.ts'
import { Failing } from '../failing.tsx'
import { summaryOf } from '../issuing/event_kinds.ts'
import { Panel } from '../panel.tsx'
import { type Moment, Timeline } from '../timeline.tsx'
import { Code } from '../values.tsx'

const SHOWN = 20

/** The history of an object: changes and who made them, and the events that were sent about it. */
export function History({ of: id }: { of: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const records = useQuery({
    queryKey: ['audit', id],
    queryFn: () => {
      const query = { object_id: id, limit: SHOWN }
      return answered(issuing.auditRecords.list(query))
    },
    enabled: may('listAuditRecords'),
  })
  const events = useQuery({
    queryKey: ['events', 'of', id],
    queryFn: () => {
      const query = { object_id: id, limit: SHOWN }
      return answered(issuing.events.listObjectEvents(query))
    },
    enabled: may('listObjectEvents'),
  })
  const moments = useMoments(records.data?.data, events.data?.data)
  const error = records.error ?? events.error
  const isWaiting = records.isLoading || events.isLoading
  const log = may('listAuditRecords') && (
    <Anchor component={Link} to={`/audit-log?object_id=${id}`} size="sm">
      {t('history.log')}
    </Anchor>
  )
  return (
    <Panel title={t('history.title')} actions={log}>
      {error && <Failing error={error} retry={() => [records.refetch(), events.refetch()]} />}
      {isWaiting && <Skeleton height={96} role="status" aria-label={t('states.loading')} />}
      {!isWaiting && moments.length > 0 && (
        <Timeline label={t('history.title')} moments={moments} />
      )}
      {!isWaiting && !error && moments.length === 0 && t('history.none')}
    </Panel>
  )
}

/** The moments of both, newest first. */
function useMoments(records: readonly AuditRecord[] = [], events: readonly Event[] = []): Moment[] {
  const { t } = useTranslation()
  const names = new Map(Object.entries(t('history.operations', { returnObjects: true })))
  const changes = records.map((record): Moment => {
    const { id, operation, created: at } = record
    const title = names.get(operation) ?? <Code>{operation}</Code>
    return { id, at, title, text: <By record={record} /> }
  })
  const sent = events.map(
    (event): Moment => ({
      id: event.id,
      at: event.created,
      title: <Code>{event.event}</Code>,
      text: <bdi dir="ltr">{summaryOf(event)}</bdi>,
      isEvent: true,
    }),
  )
  return [...changes, ...sent].sort((a, b) => b.at.localeCompare(a.at)).slice(0, SHOWN)
}

function By({ record: { actor, members } }: { record: AuditRecord }) {
  const { t } = useTranslation()
  const { data: session } = useSession()
  const isMe = session?.member.id === actor.id
  return (
    <>
      {isMe ? t('history.you') : t(`history.actors.${actor.kind}`)}
      {members.length > 0 && (
        <>
          {' · '}
          <Code>{members.join(', ')}</Code>
        </>
      )}
    </>
  )
}
