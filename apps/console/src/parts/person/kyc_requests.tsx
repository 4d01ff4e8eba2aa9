import { IconIdBadge2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { KycRequest } from '../../api/types.ts'
import { Empty } from '../empty.tsx'
import { Failing } from '../failing.tsx'
import { Panel } from '../panel.tsx'
import { Code, Status, When } from '../values.tsx'
import { Waiting } from '../waiting.tsx'
import styles from './documents.module.css'
import { kycRequestsOf, type Person } from './person.ts'

type KycRequestsProps = {
  person: Person
  actions?: ReactNode
  /** Actions on a request that has no result. */
  of?: (request: KycRequest) => ReactNode
}

const WAITING_HEIGHT = 56

/** The KYC requests of a user with their results, newest first. */
export function KycRequests({ person, actions, of }: KycRequestsProps) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(kycRequestsOf(person))
  return (
    <Panel title={t('reviews.kyc')} actions={actions} flush>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Waiting height={WAITING_HEIGHT} />}
      {data?.length === 0 && (
        <Empty
          icon={IconIdBadge2}
          title={t('reviews.no_kyc')}
          text={t('reviews.no_kyc_text')}
          isSmall
        />
      )}
      <ul className={styles['rows']}>
        {data?.map((request) => (
          <li key={request.id} className={styles['row']}>
            <KycText request={request} />
            {request.status === 'SUBMITTED' && (
              <div className={styles['actions']}>{of?.(request)}</div>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function KycText({ request: { kyc_policy, status, note, created } }: { request: KycRequest }) {
  return (
    <div className={styles['rowText']}>
      <span>
        <Code>{kyc_policy}</Code> <Status>{status}</Status>
      </span>
      <span className={styles['soft']}>
        <When at={created} />
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
