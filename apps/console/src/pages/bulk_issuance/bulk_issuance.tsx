import { Button, Progress } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { BulkIssuance } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { useCardColumns } from '../../parts/issuing/card_columns.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code } from '../../parts/values.tsx'
import styles from './bulk.module.css'
import { readBulk, updateBulk } from './bulk_calls.ts'
import { BulkFacts } from './bulk_facts.tsx'
import { EditBulk } from './bulk_form.tsx'

/** While the job runs, its progress is read this often. */
const PERIOD_MS = 1500

const isUnderWay = ({ status }: BulkIssuance) => status === 'SUBMITTED' || status === 'PROCESSING'

/** One bulk issuance: how far it is, and its cards. */
export function BulkIssuancePage() {
  return (
    <ObjectPage name="bulk_issuance" read={readBulk} poll={(bulk) => isUnderWay(bulk) && PERIOD_MS}>
      {(bulk) => <Loaded key={bulk.id} bulk={bulk} />}
    </ObjectPage>
  )
}

function Loaded({ bulk }: { bulk: BulkIssuance }) {
  const { t } = useTranslation()
  const may = useMay()
  const { id, status, number_of_cards, name_on_card } = bulk
  const mayChange = status === 'DRAFT' && may('updateBulkIssuance')
  return (
    <Page
      name="bulk_issuance"
      title={<bdi>{`${name_on_card ?? t('pages.bulk_issuance')} × ${number_of_cards}`}</bdi>}
      status={status}
      lead={t('bulk.one_lead')}
      actions={mayChange ? <DraftActions bulk={bulk} /> : undefined}
    >
      <Columns facts={<BulkFacts bulk={bulk} />}>
        <State bulk={bulk} />
        {status !== 'FAILED' && <Cards bulk={bulk} />}
        <History of={id} />
      </Columns>
    </Page>
  )
}

function DraftActions({ bulk }: { bulk: BulkIssuance }) {
  return (
    <>
      <EditBulk bulk={bulk} />
      <Submit bulk={bulk} />
    </>
  )
}

function Submit({ bulk }: { bulk: BulkIssuance }) {
  const { t } = useTranslation()
  return (
    <Act
      isMain
      label={t('bulk.submit')}
      text={t('bulk.submit_text')}
      act={() =>
        changeSeen({
          item: bulk,
          read: () => readBulk(bulk.id),
          // Cards are issued as the member has seen them in the draft.
          isOther: () => true,
          save: (match) => updateBulk(bulk.id, { status: 'SUBMITTED' }, match),
        })
      }
    />
  )
}

function State({ bulk }: { bulk: BulkIssuance }) {
  const { t } = useTranslation()
  const { issued_cards: issued, number_of_cards: all, failed_cards, error } = bulk
  return (
    <Panel title={error ? t('bulk.fault') : t('bulk.progress')}>
      <div className={styles['stack']}>
        {error ? (
          <Facts
            rows={[
              [t('states.error_code'), <Code key="code">{error.code}</Code>],
              [t('bulk.message'), <bdi key="text">{error.message}</bdi>],
              [t('bulk.needed'), error.needed],
              [t('bulk.available'), error.available],
            ]}
          />
        ) : (
          <>
            <p role="status" className={styles['figure']}>
              {t('bulk.issued_of', { issued, all })}
            </p>
            <Progress value={(issued / all) * 100} aria-label={t('bulk.progress')} />
            {failed_cards > 0 && (
              <p className={styles['hint']}>
                {t('bulk.failed')}: {failed_cards}
              </p>
            )}
          </>
        )}
      </div>
    </Panel>
  )
}

/** How many cards the page shows; the list of cards has the rest. */
const SHOWN = 10

function Cards({ bulk: { id: bulk_issuance_id, issued_cards } }: { bulk: BulkIssuance }) {
  const { t } = useTranslation()
  const columns = useCardColumns()
  const all = (
    <Button component={Link} to={`/cards?bulk_issuance_id=${bulk_issuance_id}`} variant="default">
      {t('bulk.all_cards')}
    </Button>
  )
  return (
    <Panel title={t('bulk.cards')} actions={issued_cards > 0 && all} flush>
      <Paged
        label={t('bulk.cards')}
        queryKey={['cards', 'bulk', bulk_issuance_id, issued_cards]}
        read={(after) => {
          const query = { bulk_issuance_id, limit: SHOWN, ...(after !== undefined && { after }) }
          return answered(issuing.cards.list(query))
        }}
        columns={columns}
        to={({ id }) => `/cards/${id}`}
        empty={
          <Empty
            isSmall
            icon={IconCreditCard}
            title={t('bulk.no_cards')}
            text={t('bulk.no_cards_text')}
          />
        }
      />
    </Panel>
  )
}
