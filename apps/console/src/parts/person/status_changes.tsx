import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import type { UserStatusChange } from '../../api/types.ts'
import { reviews } from '../../i18n/en/reviews.ts'
import { Failing } from '../failing.tsx'
import { Panel } from '../panel.tsx'
import { Timeline } from '../timeline.tsx'
import { Waiting } from '../waiting.tsx'
import { type Person, statusChangesOf } from './person.ts'
import { StateOfUser } from './state.tsx'

const WAITING_HEIGHT = 96

/** Each status that a user has had, with who moved it and why. */
export function StatusChanges({ person }: { person: Person }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(statusChangesOf(person))
  const moments = data?.map((change) => ({
    id: change.id,
    at: change.created,
    title: <StateOfUser status={change.new_status} reason={change.new_status_reason_code} />,
    text: <Cause change={change} />,
  }))
  return (
    <Panel title={t('reviews.status_changes')}>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={WAITING_HEIGHT} />}
      {moments?.length === 0 && t('reviews.no_status_changes')}
      {moments && moments.length > 0 && (
        <Timeline label={t('reviews.status_changes')} moments={moments} />
      )}
    </Panel>
  )
}

type Kind = keyof typeof reviews.actors

const isKnown = (kind: string): kind is Kind => Object.hasOwn(reviews.actors, kind)

function Cause({ change: { changed_by, note } }: { change: UserStatusChange }) {
  const { t } = useTranslation()
  const { data: session } = useSession()
  const { kind, id } = changed_by
  const other = isKnown(kind) ? t(`reviews.actors.${kind}`) : kind
  return (
    <>
      {session?.member.id === id ? t('history.you') : other}
      {note !== undefined && (
        <>
          {' · '}
          <bdi>{note}</bdi>
        </>
      )}
    </>
  )
}
