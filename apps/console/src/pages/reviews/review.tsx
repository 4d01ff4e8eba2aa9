import { Button } from '@mantine/core'
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { forTenant } from '../../api/acting.ts'
import { answered, issuing } from '../../api/client.ts'
import type { User } from '../../api/types.ts'
import { Failing } from '../../parts/failing.tsx'
import { useKeys } from '../../parts/keys.ts'
import { KeysHelp } from '../../parts/keys_help.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { Page } from '../../parts/page.tsx'
import { Documents } from '../../parts/person/documents.tsx'
import { KycRequests } from '../../parts/person/kyc_requests.tsx'
import { LinkedUsers } from '../../parts/person/linked_users.tsx'
import { nameOfUser } from '../../parts/person/name.ts'
import { StatusChanges } from '../../parts/person/status_changes.tsx'
import { FurtherFacts, UserFacts } from '../../parts/person/user_facts.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { DocumentDecisions, KycDecisions, UserDecisions } from './decide.tsx'
import { Matches } from './matches.tsx'
import { useNeighbours } from './neighbours.ts'
import { addressOf, queueAddress, useTenants } from './queue_data.ts'
import styles from './reviews.module.css'
import { useReviewKeys } from './shortcuts.ts'

const WAITING_HEIGHT = 640

/** One user before compliance: documents beside the person, and what may be decided. */
export function ReviewPage() {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const [tenant_id, id] = [String(params['tenant_id']), String(params['id'])]
  const { data, error, refetch } = useQuery({
    queryKey: ['reviews', 'user', tenant_id, id],
    queryFn: () => {
      const headers = forTenant(tenant_id)
      return answered(issuing.users.get(id, { headers }))
    },
  })
  if (data) return <Loaded key={`${tenant_id}:${id}`} user={data} tenant_id={tenant_id} />
  return (
    <Page name="reviews">
      {error ? <Failing error={error} retry={refetch} /> : <Waiting height={WAITING_HEIGHT} />}
    </Page>
  )
}

function Loaded({ user, tenant_id }: { user: User; tenant_id: string }) {
  const neighbours = useNeighbours(tenant_id, user)
  const { nameOf } = useTenants()
  const { next, previous, open, back, goOn } = neighbours
  const keys = useReviewKeys()
  useKeys({ j: () => open(next), k: () => open(previous), u: back })
  const person = { user, tenant_id }
  return (
    <Page
      name="reviews"
      title={<bdi>{nameOfUser(user) || user.id}</bdi>}
      status={user.status}
      lead={<bdi>{nameOf(tenant_id)}</bdi>}
      actions={<UserDecisions tenant_id={tenant_id} of={user} onDone={goOn} />}
    >
      <Place {...neighbours}>
        <KeysHelp groups={keys} />
      </Place>
      <Columns
        facts={
          <>
            <UserFacts user={user} />
            <FurtherFacts user={user} />
          </>
        }
      >
        <Matches person={person} />
        <Documents
          person={person}
          of={(identification) => <DocumentDecisions tenant_id={tenant_id} of={identification} />}
        />
        <KycRequests
          person={person}
          of={(request) => <KycDecisions tenant_id={tenant_id} of={request} onDone={goOn} />}
        />
        <LinkedUsers
          person={person}
          to={(linked) => addressOf({ tenant_id, user: linked }, neighbours.values)}
        />
        <StatusChanges person={person} />
      </Columns>
    </Page>
  )
}

type PlaceProps = ReturnType<typeof useNeighbours> & { children: ReactNode }

/** The place of the review in its queue. */
function Place({
  values,
  at,
  isSought,
  count,
  hasMore,
  next,
  previous,
  open,
  children,
}: PlaceProps) {
  const { t } = useTranslation()
  const total = hasMore ? `${count}+` : String(count)
  const place = isSought ? '' : t('reviews.not_in_queue')
  return (
    <nav aria-label={t('reviews.queue')} className={styles['place']}>
      <Button
        variant="default"
        component={Link}
        to={queueAddress(values)}
        leftSection={<IconArrowLeft size={16} aria-hidden className={styles['flips']} />}
      >
        {t('reviews.queue')}
      </Button>
      <span className={styles['count']}>
        {at < 0 ? place : t('reviews.place_in_queue', { at: at + 1, total })}
      </span>
      <span className={styles['gap']} />
      <Button
        variant="default"
        disabled={!previous}
        onClick={() => open(previous)}
        aria-keyshortcuts="k"
        leftSection={<IconChevronLeft size={16} aria-hidden className={styles['flips']} />}
      >
        {t('reviews.previous')}
      </Button>
      <Button
        variant="default"
        disabled={!next}
        onClick={() => open(next)}
        aria-keyshortcuts="j"
        rightSection={<IconChevronRight size={16} aria-hidden className={styles['flips']} />}
      >
        {t('reviews.next')}
      </Button>
      {children}
    </nav>
  )
}
