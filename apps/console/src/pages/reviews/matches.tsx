import { IconListSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { ScreeningMatch } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import styles from '../../parts/person/documents.module.css'
import { nameOfUser } from '../../parts/person/name.ts'
import type { Person } from '../../parts/person/person.ts'
import { Code, Status, When } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { Decision } from './decide.tsx'
import { matchesOf } from './matches_data.ts'

type MatchesProps = { person: Person & { tenant_id: string } }
type MatchProps = { match: ScreeningMatch; subject?: string | undefined }

const WAITING_HEIGHT = 56

/** Entries of watchlists that may be the user or one of its people, those to be judged first. */
export function Matches({ person }: MatchesProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(matchesOf(person))
  return (
    <Panel title={t('reviews.matches')} flush>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={WAITING_HEIGHT} />}
      {data?.length === 0 && (
        <Empty
          icon={IconListSearch}
          title={t('reviews.no_matches')}
          text={t('reviews.no_matches_text')}
          isSmall
        />
      )}
      <ul className={styles['rows']}>
        {data?.map(({ match, subject }) => (
          <li key={match.id} className={styles['row']}>
            <MatchText
              match={match}
              subject={subject.id === person.user.id ? undefined : nameOfUser(subject)}
            />
            {match.status === 'OPEN' && (
              <div className={styles['actions']}>
                <MatchDecisions match={match} />
              </div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function MatchText({ match, subject }: MatchProps) {
  const { t } = useTranslation()
  const { name, list, score, status, reason, note, provider, created } = match
  return (
    <div className={styles['rowText']}>
      <span>
        <bdi>{name}</bdi> <Status>{status}</Status>
        <span>{t('reviews.alike', { score })}</span>
      </span>
      {subject !== undefined && (
        <span>
          {t('reviews.match_of')} <bdi>{subject}</bdi>
        </span>
      )}
      <span>
        <bdi>{reason}</bdi>
      </span>
      <span className={styles['soft']}>
        <Code>{list}</Code> · <Code>{provider}</Code> · <When at={created} />
        {note !== undefined && (
          <>
            {' · '}
            <bdi>{note}</bdi>
          </>
        )}
      </span>
    </div>
  )
}

function MatchDecisions({ match: { id, tenant_id, name } }: { match: ScreeningMatch }) {
  const may = useMay()
  const { t } = useTranslation()
  return (
    <>
      {may('dismissMatch') && (
        <Decision
          name="dismiss_match"
          of={name}
          label={t('reviews.why_dismissed')}
          act={({ reason = '' }, key) =>
            answered(
              issuing.operator.dismissMatch(id, { reason }, { tenant_id }, { idempotencyKey: key }),
            )
          }
        />
      )}
      {may('confirmMatch') && (
        <Decision
          name="confirm_match"
          of={name}
          label={t('reviews.why_confirmed')}
          isDangerous
          act={({ reason = '' }, key) =>
            answered(
              issuing.operator.confirmMatch(id, { reason }, { tenant_id }, { idempotencyKey: key }),
            )
          }
        />
      )}
    </>
  )
}
