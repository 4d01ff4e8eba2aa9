/** Each sentence of the specification on the status of cards. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { cardholder } from '#test/support/cardholder.ts'
import { openWorld } from '#test/support/world.ts'

const SECTION = readFileSync('docs/specs/card-issuing.md', 'utf8')
  .split('### Card status')[1]
  ?.split('### Other statuses')[0]

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const they = await cardholder(world, world.tenant)

const activate = (id: string) => they.change(id, 'ACTIVE', 'a0')

/** A card in transition, with the physical card ordered or not. */
async function inTransition(ordered: 'ordered' | 'not ordered'): Promise<string> {
  const { id } = await they.issue()
  const { body } = await they.put(id, { change_to_physical: true })
  assert.equal(body.status_reason_code, 'AT')
  if (ordered === 'ordered') await they.simulate(id, 'emboss')
  return id
}

const rows: Record<string, () => Promise<unknown>> = {
  'statuschange with status ACTIVE and reason a0 | activating a physical card': async () => {
    const { id } = await they.issue({ card_type: 'PHYSICAL' })
    assert.equal(await they.state(id), 'INACTIVE/I0')
    const { status, body } = await activate(id)
    assert.deepEqual([status, body.status, body.status_reason_code], [200, 'ACTIVE', 'a0'])
  },
  'statuschange | Active to Suspended, and Suspended back to Active': async () => {
    const { id } = await they.issue()
    assert.equal((await they.change(id, 'SUSPENDED', 'S0')).body.status, 'SUSPENDED')
    assert.equal((await they.change(id, 'ACTIVE', 'A0')).body.status, 'ACTIVE')
  },
  'statuschange | termination': async () => {
    for (const reason of ['T0', 'T1', 'T2', 'T3']) {
      const { id } = await they.issue()
      assert.equal((await they.change(id, 'TERMINATED', reason)).body.status, 'TERMINATED')
      const next = await they.issue({ reference_card_id: id })
      assert.equal(next.reference_card_id, id)
    }
  },
  'Update card with change_to_physical = true | virtual card': async () => {
    const { id } = await they.issue()
    const { status, body } = await they.put(id, { change_to_physical: true })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      card_type: 'VIRTUAL',
      status: 'ACTIVE',
      status_reason_code: 'AT',
      fulfillment_status: 'CREATED',
    })
  },
  'Physical card embossing generated | card in transition': async () => {
    const id = await inTransition('not ordered')
    const { status, body } = await they.simulate(id, 'emboss')
    assert.deepEqual([status, body.fulfillment_status], [200, 'ORDERED'])
    assert.equal(await they.state(id), 'ACTIVE/AT')
  },
  'statuschange to reason A0 (manual) | after ORDERED': async () => {
    const early = await inTransition('not ordered')
    const rejected = await they.change(early, 'ACTIVE', 'A0')
    assert.deepEqual([rejected.status, rejected.body.code], [409, 'card_status_move_refused'])
    const { body } = await they.change(await inTransition('ordered'), 'ACTIVE', 'A0')
    assert.partialDeepStrictEqual(body, {
      card_type: 'PHYSICAL',
      status: 'ACTIVE',
      status_reason_code: 'A0',
      fulfillment_status: 'ORDERED',
    })
  },
  'statuschange to reason ST | card in transition': async () => {
    const id = await inTransition('not ordered')
    const { body } = await they.change(id, 'SUSPENDED', 'ST')
    assert.deepEqual([body.status, body.status_reason_code], ['SUSPENDED', 'ST'])
    assert.equal((await they.change(id, 'ACTIVE', 'AT')).status, 200)
    assert.equal(await they.state(id), 'ACTIVE/AT')
  },
}

describe('each row of the table', () => {
  for (const row of specificationRows()) {
    test(row, async () => {
      const proof = rows[row]
      assert.ok(proof, 'the row has a proof')
      await proof()
    })
  }
  test('every test belongs to a row of the specification', () => {
    const known = specificationRows()
    assert.deepEqual(
      Object.keys(rows).filter((name) => !known.includes(name)),
      [],
    )
  })
})

describe('the other sentences', () => {
  const sentences: Record<string, () => Promise<unknown>> = {
    'Initial status of a newly created card unless the card product sets another initial status':
      async () => {
        const terms = { initial_status_of_virtual_card: 'INACTIVE' }
        const usual = await cardholder(world, world.tenant, terms)
        assert.equal(usual.stateOf(await usual.issue()), 'INACTIVE/I0')
        const set = await cardholder(world, world.tenant, {
          initial_status_of_physical_card: 'ACTIVE',
        })
        assert.equal(set.stateOf(await set.issue({ card_type: 'PHYSICAL' })), 'ACTIVE/A0')
      },
    'The only status in which authorizations are allowed': async () => {
      const { id, account_id } = await they.issue({ card_type: 'PHYSICAL' })
      const funding = { currency: 'AED', amount: 100 }
      await they.operate('POST', `tenants/${world.tenant.id}/funding`, funding)
      await they.ask('POST', `accounts/${account_id}:loadfunds`, funding)
      const isApproved = async () => {
        const payment = { card_id: id, amount: 1, currency: 'AED' }
        return (
          (await they.ask('POST', 'simulate/authorizations', payment)).body.status_code === '0000'
        )
      }
      assert.equal(await isApproved(), false)
      await activate(id)
      assert.equal(await isApproved(), true)
      await they.change(id, 'SUSPENDED', 'S0')
      assert.equal(await isApproved(), false)
      await they.change(id, 'ACTIVE', 'A0')
      assert.equal(await isApproved(), true)
      await they.change(id, 'TERMINATED', 'T0')
      assert.equal(await isApproved(), false)
    },
    'Final; no move to any other status': async () => {
      const { id } = await they.issue()
      await they.change(id, 'TERMINATED', 'T1')
      for (const [status, reason] of [
        ['ACTIVE', 'A0'],
        ['SUSPENDED', 'S0'],
        ['INACTIVE', 'I0'],
        ['TERMINATED', 'T0'],
      ] as const) {
        const rejected = await they.change(id, status, reason)
        assert.deepEqual([rejected.status, rejected.body.code], [409, 'card_terminated'])
      }
    },
    'the reason can only be changed to ST': async () => {
      const id = await inTransition('not ordered')
      for (const [status, reason] of [
        ['ACTIVE', 'A0'],
        ['ACTIVE', 'a0'],
        ['SUSPENDED', 'S0'],
        ['SUSPENDED', 'P0'],
      ] as const) {
        assert.equal((await they.change(id, status, reason)).status, 409, reason)
      }
      const by_operator = { status: 'SUSPENDED', status_reason_code: 'S1' }
      const { status, body } = await they.operate('PUT', `cards/${id}:statuschange`, by_operator)
      assert.deepEqual([status, body.code], [409, 'card_status_move_refused'])
      assert.equal((await they.change(id, 'SUSPENDED', 'ST')).status, 200)
    },
    'permanent blocking is allowed at any time': async () => {
      const blocked = await inTransition('ordered')
      await they.change(blocked, 'SUSPENDED', 'ST')
      for (const id of [
        await inTransition('not ordered'),
        await inTransition('ordered'),
        blocked,
      ]) {
        assert.equal((await they.change(id, 'TERMINATED', 'T2')).status, 200)
      }
    },
    "changes of the card's authorization settings are refused": async () => {
      const id = await inTransition('not ordered')
      const { status, body } = await they.put(`${id}/authsettings`, { atm: false })
      assert.deepEqual([status, body.code], [409, 'card_migrating'])
    },
    'authorization settings are restricted until migration completes': async () => {
      const id = await inTransition('ordered')
      await they.change(id, 'ACTIVE', 'A0')
      assert.equal((await they.put(`${id}/authsettings`, { atm: false })).status, 200)
    },
    'replacement can be repeated; each replacement references the card it replaced': async () => {
      const chain = [await they.issue({ name_on_card: 'A KHAN' })]
      for (const reason of ['T1', 'T2', 'T3']) {
        const { id } = chain.at(-1)
        await they.change(id, 'TERMINATED', reason)
        chain.push(await they.issue({ reference_card_id: id }))
      }
      const reported = chain.map(({ name_on_card, account_id }) => [name_on_card, account_id])
      assert.deepEqual(reported, Array(4).fill(['A KHAN', chain[0].account_id]))
      for (const [at, { reference_card_id }] of chain.entries()) {
        assert.equal(reference_card_id, chain[at - 1]?.id)
      }
      const numbers = await Promise.all(
        chain.map(({ id }) => they.ask('GET', `cards/${id}:reveal`)),
      )
      assert.equal(new Set(numbers.map(({ body }) => body.card_number)).size, 4)
    },
  }
  for (const [sentence, proof] of Object.entries(sentences)) {
    test(sentence, async () => {
      assert.ok(SECTION?.includes(sentence), 'the specification contains it')
      await proof()
    })
  }
})

/** `trigger | condition` of each row. */
function specificationRows(): string[] {
  const text = SECTION ?? ''
  const [table = ''] = text.slice(text.indexOf('| Trigger')).split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, trigger = '', condition = ''] = line.split('|').map((cell) => cell.trim())
      return `${trigger} | ${condition}`
    })
}
