import { useTranslation } from 'react-i18next'
import type { Dispute } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { CardLink } from '../../parts/issuing/card_link.tsx'
import { UserLink } from '../../parts/issuing/user_link.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'
import { Contested } from './contested.tsx'
import { readDispute } from './data.ts'
import { DisputeActions } from './dispute_actions.tsx'
import { Evidence } from './evidence.tsx'
import { DisputeFiles } from './files.tsx'

/** One dispute: the payment beside its evidence, and the steps that can be made. */
export function DisputePage() {
  return (
    <ObjectPage name="disputes" read={readDispute}>
      {(dispute) => <Loaded key={dispute.id} dispute={dispute} />}
    </ObjectPage>
  )
}

function Loaded({ dispute }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const { amount, currency, status, reason } = dispute
  return (
    <Page
      name="disputes"
      title={
        <>
          <Money amount={amount} currency={currency} />
          <span>{t(`disputes.reasons.${reason}`)}</span>
        </>
      }
      status={status}
      lead={t('disputes.one_lead')}
      actions={<DisputeActions dispute={dispute} />}
    >
      <Columns side={<Contested dispute={dispute} />} facts={<DisputeFacts dispute={dispute} />}>
        <Evidence dispute={dispute} />
        <DisputeFiles dispute={dispute} />
        <Steps dispute={dispute} />
      </Columns>
    </Page>
  )
}

function DisputeFacts({ dispute }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const { id, currency, card_id, user_id, account_id, deadline, outcome, outgoing } = dispute
  const { scheme, reason_code, credited_amount, recovered_amount, represented_amount } = dispute
  const sum = (amount: number) =>
    amount === 0 ? undefined : <Money key="sum" amount={amount} currency={currency} />
  return (
    <Panel title={t('transactions.details')}>
      <Facts
        rows={[
          [t('disputes.deadline'), deadline && <When key="deadline" at={deadline} />],
          [t('disputes.outcome'), outcome && <Status key="outcome">{outcome}</Status>],
          [t('disputes.outgoing'), outgoing && <Code key="outgoing">{outgoing}</Code>],
          [
            t('disputes.scheme'),
            reason_code && (
              <Code key="code">{[scheme, reason_code].filter(Boolean).join(' ')}</Code>
            ),
          ],
          [t('disputes.credit'), <Code key="credit">{dispute.provisional_credit}</Code>],
          [t('disputes.credited'), sum(credited_amount)],
          [t('disputes.recovered'), sum(recovered_amount)],
          [t('disputes.represented'), sum(represented_amount)],
          [t('fields.card'), <CardLink key="card" id={card_id} />],
          [
            t('fields.account'),
            <ObjectLink key="account" to={`/accounts/${account_id}`}>
              <Code>{account_id}</Code>
            </ObjectLink>,
          ],
          [t('fields.user'), user_id && <UserLink key="user" id={user_id} />],
          [t('fields.id'), <Code key="id">{id}</Code>],
        ]}
      />
    </Panel>
  )
}

/** The steps with their authors, newest first. */
function Steps({ dispute: { moves, currency } }: { dispute: Dispute }) {
  const { t } = useTranslation()
  const moments = moves
    .map(({ step, created, author, note, amount }, at) => ({
      id: String(at),
      at: created,
      title: t(`disputes.steps.${step}`),
      text: (
        <>
          <Code>{author.kind}</Code>{' '}
          {amount !== undefined && <Money amount={amount} currency={currency} />}
          {note !== undefined && <bdi>{note}</bdi>}
        </>
      ),
    }))
    .toReversed()
  return (
    <Panel title={t('disputes.history')}>
      <Timeline label={t('disputes.history')} moments={moments} />
    </Panel>
  )
}
