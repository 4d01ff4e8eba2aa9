import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CardStatus, CardType, StatusReason } from '../schema.ts'
import { type Mover, moves } from './moves.ts'
import { ruleOnStatusChange } from './status.ts'

// card: type status reason | wanted: status reason by | ruling
const table = `
  PHYSICAL INACTIVE   I0 | ACTIVE     a0 client   | allowed
  PHYSICAL INACTIVE   I0 | ACTIVE     A0 client   | card_status_move_refused
  PHYSICAL INACTIVE   I0 | ACTIVE     A0 system   | card_status_move_refused
  VIRTUAL  INACTIVE   I0 | ACTIVE     a0 client   | allowed
  VIRTUAL  INACTIVE   I0 | ACTIVE     A0 client   | allowed
  VIRTUAL  INACTIVE   I0 | ACTIVE     I0 client   | card_status_move_refused
  VIRTUAL  INACTIVE   I0 | INACTIVE   I0 client   | card_status_move_refused
  VIRTUAL  INACTIVE   I0 | SUSPENDED  S0 client   | card_status_move_refused
  VIRTUAL  INACTIVE   I0 | TERMINATED T0 client   | allowed
  VIRTUAL  ACTIVE     A0 | SUSPENDED  S0 client   | allowed
  PHYSICAL ACTIVE     a0 | SUSPENDED  S0 client   | allowed
  VIRTUAL  ACTIVE     A0 | SUSPENDED  S1 client   | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | SUSPENDED  S1 operator | allowed
  VIRTUAL  ACTIVE     A0 | SUSPENDED  S2 operator | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | SUSPENDED  S2 system   | allowed
  VIRTUAL  ACTIVE     A0 | SUSPENDED  A0 client   | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | SUSPENDED  ST client   | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | ACTIVE     AT client   | card_status_move_refused
  VIRTUAL  ACTIVE     a0 | ACTIVE     A0 client   | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | INACTIVE   I0 client   | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | TERMINATED T0 client   | allowed
  VIRTUAL  ACTIVE     A0 | TERMINATED T1 client   | allowed
  VIRTUAL  ACTIVE     A0 | TERMINATED T2 client   | allowed
  VIRTUAL  ACTIVE     A0 | TERMINATED T3 client   | allowed
  VIRTUAL  ACTIVE     A0 | TERMINATED T4 client   | card_status_move_refused
  VIRTUAL  ACTIVE     A0 | TERMINATED T4 system   | allowed
  VIRTUAL  ACTIVE     A0 | TERMINATED S0 client   | card_status_move_refused
  VIRTUAL  SUSPENDED  S0 | ACTIVE     A0 client   | allowed
  VIRTUAL  SUSPENDED  S0 | ACTIVE     a0 client   | card_status_move_refused
  VIRTUAL  SUSPENDED  S0 | ACTIVE     A0 operator | allowed
  VIRTUAL  SUSPENDED  S1 | ACTIVE     A0 client   | card_status_move_refused
  VIRTUAL  SUSPENDED  S1 | ACTIVE     A0 operator | allowed
  VIRTUAL  SUSPENDED  S2 | ACTIVE     A0 client   | card_status_move_refused
  VIRTUAL  SUSPENDED  S2 | ACTIVE     A0 operator | allowed
  VIRTUAL  SUSPENDED  S0 | SUSPENDED  S1 operator | card_status_move_refused
  VIRTUAL  SUSPENDED  S1 | TERMINATED T2 client   | allowed
  VIRTUAL  TERMINATED T1 | ACTIVE     A0 client   | card_terminated
  VIRTUAL  TERMINATED T1 | TERMINATED T0 operator | card_terminated
  VIRTUAL  TERMINATED T4 | SUSPENDED  S2 system   | card_terminated`

for (const line of table.trim().split('\n')) {
  test(line.trim().replace(/\s+/g, ' '), () => {
    const words = line.replaceAll('|', ' ').trim().split(/\s+/)
    const [card_type, status, status_reason_code = '', to, reason, by, expected] = words
    const ruling = ruleOnStatusChange(
      {
        card_type: card_type as CardType,
        status: status as CardStatus,
        status_reason_code,
        fulfillment_status: null,
      },
      { status: to as CardStatus, status_reason_code: reason as StatusReason },
      by as Mover,
    )
    assert.equal(ruling.allowed ? 'allowed' : ruling.refusal, expected)
    if (!ruling.allowed) assert.match(ruling.detail ?? '', new RegExp(`${status} .${words[2]}`))
    else assert.deepEqual(ruling.value, { status: to, status_reason_code: reason })
  })
}

test('no move leaves TERMINATED, and none leads to INACTIVE', () => {
  assert.ok(moves.every(({ from, to }) => from !== 'TERMINATED' && to !== 'INACTIVE'))
})
