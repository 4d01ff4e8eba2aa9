import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay, useSession } from '../../api/session.ts'
import type { AuditRecord } from '../../api/types.ts'
import { english } from '../../i18n/en/english.ts'
import { Failing } from '../failing.tsx'
import { Panel } from '../panel.tsx'
import { Timeline } from '../timeline.tsx'
import { Code } from '../values.tsx'

const SHOWN = 20

type Known = keyof typeof english.history.operations

const isKnown = (operation: string): operation is Known =>
  Object.hasOwn(english.history.operations, operation)

/** Who has changed an object, from the audit log. */
export function History({ of: object_id }: { of: string }) {
  const { t } = useTranslation()
  const may = useMay()
  const records = useQuery({
    queryKey: ['audit', object_id],
    queryFn: () => {
      const query = { object_id, limit: SHOWN }
      return answered(issuing.GET('/audit', { params: { query } }))
    },
    enabled: may('listAuditRecords'),
  })
  const { data, error, refetch } = records
  if (!may('listAuditRecords')) return null
  const moments = data?.data.map((record) => ({
    id: record.id,
    at: record.created,
    title: isKnown(record.operation) ? (
      t(`history.operations.${record.operation}`)
    ) : (
      <Code>{record.operation}</Code>
    ),
    text: <By record={record} />,
  }))
  return (
    <Panel title={t('history.title')}>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={96} role="status" aria-label={t('states.loading')} />}
      {moments && moments.length > 0 && <Timeline label={t('history.title')} moments={moments} />}
      {moments?.length === 0 && t('history.none')}
    </Panel>
  )
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
