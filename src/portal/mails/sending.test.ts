import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { createLog } from '#kit/log.ts'
import { keeper } from '#test/support/keeper.ts'
import { openMailServer } from '#test/support/services/mail_server.ts'
import { openWorld } from '#test/support/world.ts'
import { type Outbox, queueMail, templates } from './mails.ts'
import { type Mail, type Mailer, MailFailure } from './provider.ts'
import { mailSweep } from './sending.ts'

const keep = keeper()
const world = keep(await openWorld())
const SENT: Outbox = { goes: 'SENT', sender: 'Bank' }
const log = createLog('silent')

async function queue(to: string) {
  const mail = { to, message: templates.passwordReset('https://x.example/?token=a'), valid_ms: 6e5 }
  const ctx = { ...(await world.ctx()), db: world.db }
  assert.equal(await transact(ctx, (tx) => queueMail(tx, SENT, mail)), true)
}

const run = async (mailer: Mailer | undefined) => mailSweep({ mailer, log }).run(await world.ctx())
const rowOf = (to: string) =>
  world.db.selectFrom('mails').selectAll().where('to_address', '=', to).executeTakeFirstOrThrow()
/** As if the time of all attempts had come. */
const becomeDue = () => sql`update mails set due = created where due is not null`.execute(world.db)
const collect =
  (mails: Mail[]): Mailer =>
  async (mail) =>
    void mails.push(mail)

test('a mail is sent by a mail server after the commit, once, and its content forgotten', async () => {
  const server = keep(await openMailServer())
  const url = `smtp://127.0.0.1:${server.port}`
  const sending = keep(await openWorld({ env: { SMTP_URL: url, MAIL_FROM: 'cards@bank.example' } }))
  const arrived = Promise.withResolvers<void>()
  server.onMail = arrived.resolve
  sending.sweeper.start()
  const ctx = { ...(await sending.ctx()), db: sending.db }
  const message = templates.passwordReset('https://cards.example/console/reset?token=abc')
  const mail = { to: 'ann@shop.example', message, valid_ms: 60_000 }
  await transact(ctx, async (tx) => {
    await queueMail(tx, SENT, mail)
    assert.equal(server.mails.length, 0, 'nothing is sent within the transaction')
  })
  await arrived.promise
  await sending.sweeper.stop()
  assert.deepEqual(
    server.mails.map(({ to }) => to),
    [['ann@shop.example']],
  )
  const row = await sending.db.selectFrom('mails').selectAll().executeTakeFirstOrThrow()
  assert.deepEqual([row.due, row.sealed_content], [null, null])
})

test('two processes send a mail once', async () => {
  await queue('once@shop.example')
  const mails: Mail[] = []
  await Promise.all([run(collect(mails)), run(collect(mails)), run(collect(mails))])
  assert.deepEqual(
    mails.map(({ to }) => to),
    ['once@shop.example'],
  )
})

test('a mail that was not sent is tried again later, under the same id', async () => {
  await queue('later@shop.example')
  const ids: string[] = []
  const failing: Mailer = async ({ id }) => {
    ids.push(id)
    throw new MailFailure('away')
  }
  await run(failing)
  const { due, attempts, created } = await rowOf('later@shop.example')
  assert.ok(due && due.getTime() > created.getTime() + 4_000)
  assert.equal(attempts, 1)
  await run(failing)
  assert.equal(ids.length, 1, 'not before its time')
  await becomeDue()
  const mails: Mail[] = []
  await run(collect(mails))
  assert.deepEqual(
    mails.map(({ id }) => id),
    ids,
  )
})

test('a process that ends while it sends leaves the mail to another', async () => {
  await queue('ended@shop.example')
  const { promise: never } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  void run(() => {
    begun.resolve()
    return never
  })
  await begun.promise
  const mails: Mail[] = []
  await run(collect(mails))
  assert.deepEqual(mails, [], 'while the claim lasts')
  await becomeDue()
  await run(collect(mails))
  assert.deepEqual(
    mails.map(({ to }) => to),
    ['ended@shop.example'],
  )
})

test('a mail that is rejected for ever is not tried again', async () => {
  await queue('rejected@shop.example')
  await run(async () => {
    throw new MailFailure('rejected', true)
  })
  const { due, sealed_content } = await rowOf('rejected@shop.example')
  assert.deepEqual([due, sealed_content], [null, null])
})

test('a mail whose link has ended is deleted and not sent', async () => {
  await queue('expired@shop.example')
  await sql`update mails set expires = created`.execute(world.db)
  const mails: Mail[] = []
  await run(collect(mails))
  assert.deepEqual(mails, [])
  assert.equal((await world.db.selectFrom('mails').selectAll().execute()).length, 0)
})

test('a deployment without a mail server deletes what is old, and sends nothing', async () => {
  await queue('kept@shop.example')
  const sweep = mailSweep({ log })
  assert.deepEqual(await sweep.dueTenants(world.db, FIRST_ID, 100), [FIRST_ID])
  await run(undefined)
  assert.ok((await rowOf('kept@shop.example')).sealed_content)
  assert.deepEqual(await sweep.dueTenants(world.db, world.tenant.id, 100), [], 'one turn a round')
})
