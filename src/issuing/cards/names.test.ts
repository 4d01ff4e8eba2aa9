/** Names on cards, in every way by which a card gets one or becomes physical (D-1024). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { cardholder } from '#test/support/cardholder.ts'
import type { Answer } from '#test/support/world.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const they = await cardholder(world, world.tenant)

const userOf = async (fields: object): Promise<string> => {
  const { status, body, text } = await they.ask('POST', 'users', fields)
  assert.equal(status, 200, text)
  return body.id
}
const arab = await userOf({ first_name: 'محمد', last_name: 'الخليفي' })
const pole = await userOf({ first_name: 'Łukasz', last_name: 'Brzęczyszczykiewicz-Nowakowski' })
const letter = await userOf({ first_name: 'Q' })

const card = (fields: object) =>
  they.ask('POST', 'cards', {
    user_id: they.user.id,
    card_product_id: they.product.id,
    card_type: 'VIRTUAL',
    ...fields,
  })
const bulk = (fields: object) =>
  they.ask('POST', 'bulkissuances', {
    card_product_id: they.product.id,
    number_of_cards: 1,
    currency: 'AED',
    ...fields,
  })
const drafted = async (fields: object = {}) => {
  const { status, body, text } = await bulk({ status: 'DRAFT', name_on_card: 'GIFT', ...fields })
  assert.equal(status, 200, text)
  return body.id
}
const migrating = async () => {
  const { id } = await they.issue()
  assert.equal((await they.put(id, { change_to_physical: true })).status, 200)
  return id
}
const replaced = async (fields: object) => {
  const { id } = await they.issue(fields)
  await they.change(id, 'TERMINATED', 'T1')
  return id
}

type Send = (name_on_card: string) => Promise<Answer>
const physical: [way: string, send: Send][] = [
  ['POST /cards', (name_on_card) => card({ name_on_card, card_type: 'PHYSICAL' })],
  [
    'POST /cards with an id',
    (name_on_card) => card({ name_on_card, card_type: 'PHYSICAL', id: crypto.randomUUID() }),
  ],
  [
    'POST /cards that replaces one',
    async (name_on_card) =>
      card({ name_on_card, card_type: 'PHYSICAL', reference_card_id: await replaced({}) }),
  ],
  [
    'PUT /cards/{id} of a physical card',
    async (name_on_card) =>
      they.put((await they.issue({ card_type: 'PHYSICAL' })).id, { name_on_card }),
  ],
  [
    'PUT /cards/{id} with change_to_physical',
    async (name_on_card) =>
      they.put((await they.issue()).id, { name_on_card, change_to_physical: true }),
  ],
  [
    'PUT /cards/{id} during the migration',
    async (name_on_card) => they.put(await migrating(), { name_on_card }),
  ],
  ['POST /bulkissuances', (name_on_card) => bulk({ name_on_card, status: 'DRAFT' })],
  ['POST /bulkissuances as a dry run', (name_on_card) => bulk({ name_on_card, dry_run: true })],
  [
    'PUT /bulkissuances/{id}',
    async (name_on_card) => they.ask('PUT', `bulkissuances/${await drafted()}`, { name_on_card }),
  ],
]
const virtual: [way: string, send: Send][] = [
  ['POST /cards', (name_on_card) => card({ name_on_card })],
  ['PUT /cards/{id}', async (name_on_card) => they.put((await they.issue()).id, { name_on_card })],
]

const refused: Record<string, string> = {
  'in Arabic letters': 'عائشة',
  'with an accent': 'JOSÉ',
  'with a separator of track 1': 'A^B',
  'with another sign of track 1': 'A?B',
  'of one character': 'A',
  'of 27 characters': 'A'.repeat(27),
}
const refusedAlways: Record<string, string> = {
  'of blanks': '   ',
  'of marks of direction': '\u200f\u200e\u00a0',
  'with a control character': 'A\u0007B',
  'with a line end': 'A KHAN\n',
}

/** The one fault of a name, on its member. */
function assertRefused({ status, body }: Answer): void {
  assert.equal(status, 400, JSON.stringify(body))
  assert.deepEqual(
    body.errors.map(({ path }: { path: string }) => path),
    ['name_on_card'],
  )
  assert.match(body.errors[0].message, /^must (be|not) /)
}

for (const [way, send] of physical) {
  describe(`${way}: a name that is embossed`, () => {
    for (const [name, sent] of Object.entries({ ...refused, ...refusedAlways })) {
      test(`400 ${name}`, async () => assertRefused(await send(sent)))
    }
    test('200 is stored as it was sent, without what is around it', async () => {
      const { status, body } = await send(" \u200fMary-Ann O'Neill Jr. 2/X\u00a0")
      assert.deepEqual([status, body.name_on_card], [200, "Mary-Ann O'Neill Jr. 2/X"])
    })
    test('200 of 2 and of 26 characters', async () => {
      for (const name of ['AB', 'A'.repeat(26)]) {
        const { status, body } = await send(name)
        assert.deepEqual([status, body.name_on_card], [200, name])
      }
    })
  })
}

for (const [way, send] of virtual) {
  describe(`${way} of a virtual card`, () => {
    for (const [name, sent] of Object.entries(refusedAlways)) {
      test(`400 a name ${name}`, async () => assertRefused(await send(sent)))
    }
    for (const [name, sent] of Object.entries(refused)) {
      test(`200 a name ${name}`, async () => {
        const { status, body } = await send(`\u200f${sent}\u00a0`)
        assert.deepEqual([status, body.name_on_card], [200, sent])
      })
    }
  })
}

describe('a physical card without a name', () => {
  const defaults: [holder: string, user_id: string, name: string][] = [
    ['an Arabic name', arab, 'MHMD ALKHLYFY'],
    ['a long name', pole, 'LUKASZ'],
    ['a Latin name', they.user.id, 'Aisha Khan'],
  ]
  for (const [holder, user_id, name] of defaults) {
    test(`of a holder with ${holder} gets the Latin default, issued or changed`, async () => {
      const issued = await card({ user_id, card_type: 'PHYSICAL' })
      assert.deepEqual([issued.status, issued.body.name_on_card], [200, name])
      const named = await card({ user_id, card_type: 'PHYSICAL', id: crypto.randomUUID() })
      assert.deepEqual([named.status, named.body.name_on_card], [200, name])
      const { id } = await they.issue({ user_id })
      const changed = await they.put(id, { change_to_physical: true })
      assert.deepEqual([changed.status, changed.body.name_on_card], [200, name])
      const cleared = await they.issue({ user_id })
      const both = { change_to_physical: true, name_on_card: null }
      assert.equal((await they.put(cleared.id, both)).body.name_on_card, name)
    })
  }

  test('a virtual card of an Arabic holder keeps its name as it is written', async () => {
    assert.equal((await they.issue({ user_id: arab })).name_on_card, 'محمد الخليفي')
  })

  test('400 where no name of its holder can be embossed, until one is sent', async () => {
    const fields = { user_id: letter, card_type: 'PHYSICAL' }
    const { status, body } = await card(fields)
    assert.equal(status, 400)
    assert.match(body.errors[0].message, /is required/)
    assert.equal((await card({ ...fields, name_on_card: 'Q Q' })).status, 200)
    const { id } = await they.issue({ user_id: letter })
    const changed = await they.put(id, { change_to_physical: true })
    assert.deepEqual([changed.status, changed.body.errors[0].path], [400, 'name_on_card'])
    assert.equal(await they.state(id), 'ACTIVE/A0')
    const both = { change_to_physical: true, name_on_card: 'Q Q' }
    assert.equal((await they.put(id, both)).body.name_on_card, 'Q Q')
  })

  test('takes over the name of the card that it replaces, made Latin where it was not', async () => {
    const names: [object, string][] = [
      [{ card_type: 'PHYSICAL', name_on_card: "A.  O'KHAN" }, "A.  O'KHAN"],
      [{ name_on_card: 'Holiday' }, 'Holiday'],
      [{ name_on_card: 'سفر' }, 'SFR'],
      [{ name_on_card: '✈' }, 'Aisha Khan'],
    ]
    for (const [old, name] of names) {
      const fields = { card_type: 'PHYSICAL', reference_card_id: await replaced(old) }
      const { status, body } = await card(fields)
      assert.deepEqual([status, body.name_on_card], [200, name])
    }
    const { body } = await card({ reference_card_id: await replaced({ name_on_card: 'سفر' }) })
    assert.equal(body.name_on_card, 'سفر')
  })

  test('the name of a draft batch is that of its cards', async () => {
    const id = await drafted({ name_on_card: 'gift 1' })
    assert.equal((await they.ask('PUT', `bulkissuances/${id}`, {})).body.name_on_card, 'gift 1')
    const cleared = await they.ask('PUT', `bulkissuances/${id}`, { name_on_card: null })
    assert.deepEqual([cleared.status, 'name_on_card' in cleared.body], [200, false])
  })
})
