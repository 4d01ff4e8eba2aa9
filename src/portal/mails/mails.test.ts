import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { transact } from '#kit/context.ts'
import { lockWaitsIn } from '#test/support/cluster/nodes.ts'
import { keeper } from '#test/support/keeper.ts'
import { browse, insertPerson } from '#test/support/portal/members.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { type Outbox, queueMail, templates } from './mails.ts'

const keep = keeper()
const world = keep(await openWorld())
const live = keep(
  await openWorld({ env: { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') } }),
)

const KEPT: Outbox = { goes: 'KEPT', sender: 'Bank' }
const LINK = 'https://cards.example/console/reset?token=abc'
const mailTo = (to: string) => ({
  to,
  message: templates.passwordReset(LINK),
  valid_ms: 60_000,
})

async function queue(of: World, outbox: Outbox, mail: Parameters<typeof queueMail>[2]) {
  return transact({ ...(await of.ctx()), db: of.db }, (tx) => queueMail(tx, outbox, mail))
}

const list = (query = '') =>
  world.request('GET', `/v1/operator/mails${query}`, undefined, { key: world.operator_key })

test('a kept mail is listed with both forms, to the operator alone', async () => {
  assert.equal(await queue(world, KEPT, mailTo('Ann@Shop.example')), true)
  const { status, body } = await list('?to=ANN@shop.example')
  assert.equal(status, 200)
  const [mail] = body.data
  assert.deepEqual([mail.to, mail.subject], ['ann@shop.example', 'Choose a new password'])
  assert.ok(mail.text.includes(LINK) && mail.html.includes(LINK))
  const tenant = await world.request('GET', '/v1/operator/mails')
  assert.deepEqual([tenant.status, tenant.body.code], [403, 'permission_missing'])
  const open = await world.request('GET', '/v1/operator/mails', undefined, { key: null })
  assert.equal(open.status, 401)
})

test('a link for a password of another is not for who only supports', async () => {
  const statusFor = async (role: string) => {
    const member = await browse(world, await insertPerson(world, { tenant_id: null, role }))
    return (await member('GET', '/v1/operator/mails')).status
  }
  assert.equal(await statusFor('operator_owner'), 200)
  assert.equal(await statusFor('operator_support'), 403)
})

test('the list is newest first, in pages, and by address', async () => {
  await queue(world, KEPT, mailTo('one@pages.example'))
  await queue(world, KEPT, mailTo('two@pages.example'))
  const first = await list('?limit=1')
  assert.equal(first.body.data[0].to, 'two@pages.example')
  const second = await list(`?limit=1&after=${first.body.after}`)
  assert.equal(second.body.data[0].to, 'one@pages.example')
  assert.equal((await list('?to=nobody@pages.example')).body.data.length, 0)
  assert.equal((await list('?address=x')).status, 400)
})

test('a mail of a transaction that rolls back does not exist', async () => {
  const ctx = { ...(await world.ctx()), db: world.db }
  const failing = transact(ctx, async (tx) => {
    await queueMail(tx, KEPT, mailTo('rolled@back.example'))
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.equal((await list('?to=rolled@back.example')).body.data.length, 0)
})

test('an address gets five mails of one subject within 15 minutes', async () => {
  const mail = mailTo('often@shop.example')
  const queued: boolean[] = []
  for (let sent = 0; sent < 7; sent += 1) queued.push(await queue(world, KEPT, mail))
  assert.deepEqual(queued, [true, true, true, true, true, false, false])
  const other = { ...mail, message: { ...mail.message, subject: 'Another cause' } }
  assert.equal(await queue(world, KEPT, other), true)
})

test('mails of one subject that are queued at one time are no more', async () => {
  const mail = mailTo('atonce@shop.example')
  const [queued, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const first = transact({ ...(await world.ctx()), db: world.db }, async (tx) => {
    for (let sent = 0; sent < 5; sent += 1) assert.equal(await queueMail(tx, KEPT, mail), true)
    queued.resolve()
    await end.promise
  })
  await queued.promise
  const sixth = queue(world, KEPT, mail)
  const waits = until('the sixth waits', async () => (await lockWaitsIn(world.url)) > 0)
  await Promise.race([sixth, waits])
  end.resolve()
  await first
  assert.equal(await sixth, false)
})

test('a mail that is not needed does the same work and is not written', async () => {
  const mail = { ...mailTo('unknown@shop.example'), is_needed: false }
  assert.equal(await queue(world, KEPT, mail), false)
  assert.equal((await list('?to=unknown@shop.example')).body.data.length, 0)
})

test('the link is not in the database in clear', async () => {
  const rows = await world.db.selectFrom('mails').selectAll().execute()
  assert.ok(rows.length > 0)
  for (const { sealed_content } of rows) {
    assert.ok(!(sealed_content ?? Buffer.alloc(0)).includes(Buffer.from('token=')))
  }
})

test('live keeps no mail and has no list of them', async () => {
  assert.equal(await queue(live, { goes: 'NOWHERE', sender: 'Bank' }, mailTo('a@b.example')), false)
  assert.equal((await live.db.selectFrom('mails').selectAll().execute()).length, 0)
  const { status } = await live.request('GET', '/v1/operator/mails', undefined, {
    key: live.operator_key,
  })
  assert.equal(status, 404)
})
