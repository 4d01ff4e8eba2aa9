/** Triggers of disputes about a purchase that is cleared, as far as each goes. */

import type { Dispute } from '#client/index.ts'
import type { Kind } from './kind.ts'
import type { Stage } from './stage.ts'

const DAY_MS = 86_400_000
/** Within the days ahead of a deadline in which it is reported, and not behind it. */
const AHEAD_DAYS = 2

/** The purchase of the options, or a new one, cleared and disputed. */
async function opened(stage: Stage): Promise<Dispute> {
  const { transaction } = stage.options
  const { id, status } =
    transaction === undefined
      ? await stage.pay(await stage.card())
      : await stage.bezant.transactions.get(transaction)
  if (status === 'PENDING') {
    const cleared = await stage.bezant.simulation.clearing(id)
    stage.decided(cleared, 'after its clearing, the transaction')
  }
  const explanation = 'A dispute by bezant trigger'
  const reason = 'NOT_RECEIVED'
  return said(stage, await stage.bezant.disputes.open({ transaction_id: id, reason, explanation }))
}

function said(stage: Stage, dispute: Dispute): Dispute {
  stage.say(`the dispute is ${dispute.status}`, dispute.id)
  return dispute
}

type Act = (stage: Stage, id: string) => Promise<Dispute>

const submitted: Act = ({ bezant }, id) => bezant.disputes.submit(id)
const represented: Act = ({ bezant }, id) => bezant.simulation.representment(id)
const after = (name: string, about: string, ...acts: readonly Act[]): Kind => ({
  name,
  about,
  takes: 'transaction',
  run: async (stage) => {
    const { id } = await opened(stage)
    for (const act of acts) said(stage, await act(stage, id))
  },
})

export const disputeKinds: readonly Kind[] = [
  after('dispute.opened', 'a cleared purchase is disputed'),
  after('dispute.submitted', 'a dispute is submitted', submitted),
  after('dispute.represented', 'the shop contests a dispute', submitted, represented),
  after(
    'dispute.accepted',
    'the issuer gives in to the shop',
    submitted,
    represented,
    (stage, id) => stage.bezant.disputes.accept(id),
  ),
  after('dispute.won', 'a dispute is won', submitted, (stage, id) =>
    stage.bezant.simulation.wonDispute(id),
  ),
  after('dispute.lost', 'a dispute is lost after an arbitration', submitted, (stage, id) =>
    stage.bezant.simulation.lostDispute(id),
  ),
  after('dispute.withdrawn', 'a dispute is withdrawn', (stage, id) =>
    stage.bezant.disputes.withdraw(id),
  ),
  {
    name: 'dispute.deadline',
    about: 'the deadline of a dispute comes near; moves the clock',
    takes: 'transaction',
    run: async (stage) => {
      const { id } = await opened(stage)
      said(stage, await submitted(stage, id))
      const { deadline, status } = said(stage, await represented(stage, id))
      const { now } = await stage.bezant.simulation.getClock()
      const days = Math.floor((Date.parse(deadline ?? now) - Date.parse(now)) / DAY_MS)
      stage.say(`whose ${status} has a deadline in ${days} days`, id)
      await stage.until('DISPUTE_DEADLINE', () => stage.advance(`P${days - AHEAD_DAYS}D`))
    },
  },
]
