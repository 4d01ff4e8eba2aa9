/** Signing up by status code, on a real database (D-134). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser, PASSWORD, signUp, someEmail } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const register = (body: object) => openBrowser(world).ask('POST', '/portal/v1/registrations', body)
const good = () => ({ email: someEmail(), password: PASSWORD, organization: 'Palm Bank' })

describe('POST /portal/v1/registrations', () => {
  test('201 makes member, tenant and key, and a session at once', async () => {
    const { member, tenant, api_key, email, browser } = await signUp(world)
    assert.deepEqual([member.email, member.role], [email, 'owner'])
    assert.equal(tenant.name, 'Palm Bank')
    const session = await browser.ask('GET', '/portal/v1/session')
    assert.equal(session.status, 200, session.text)
    assert.deepEqual(session.body.member, member)
    assert.deepEqual(session.body.tenant, tenant)
    const cards = await world.request('GET', '/v1/cards', undefined, { key: api_key })
    assert.equal(cards.status, 200)
  })

  test('the tenant has 10,000.00 and an active product, so that a card can be issued', async () => {
    const { tenant, api_key } = await signUp(world)
    const operator = { key: world.operator_key }
    const funding = await world.request(
      'GET',
      `/v1/operator/tenants/${tenant.id}/funding`,
      undefined,
      operator,
    )
    const [account] = funding.body.data
    assert.deepEqual([account.currency, account.balance], ['AED', 10_000])
    const ask = (method: string, path: string, body?: object) =>
      world.request(method, path, body, { key: api_key })
    const products = await ask('GET', '/v1/cardproducts')
    assert.deepEqual(
      products.body.data.map(({ status }: { status: string }) => status),
      ['ACTIVE'],
    )
    const user = await ask('POST', '/v1/users', { first_name: 'Omar', last_name: 'Aziz' })
    const card = await ask('POST', '/v1/cards', {
      user_id: user.body.id,
      card_product_id: products.body.data[0].id,
      card_type: 'VIRTUAL',
    })
    assert.equal(card.status, 200, card.text)
  })

  test('400 a name that is a link, which invitations would bring to anybody', async () => {
    for (const organization of ['Pay at https://evil.example', 'http：／／evil.example']) {
      const { status, body } = await register({ ...good(), organization })
      assert.deepEqual([status, body.errors[0].path], [400, 'organization'], organization)
    }
  })

  test('409 email_taken for a known address, however it is written, and nothing is made', async () => {
    const { email } = await signUp(world)
    const count = () => world.db.selectFrom('tenants').select('id').execute()
    const before = (await count()).length
    const { status, body, headers } = await register({
      ...good(),
      email: ` ${email.toUpperCase()} `,
    })
    assert.deepEqual([status, body.code], [409, 'email_taken'])
    assert.equal(headers['set-cookie'], undefined)
    assert.equal((await count()).length, before)
  })

  test('of two registrations of one address at once one is made', async () => {
    const email = someEmail()
    const answers = await Promise.all([1, 2].map(() => register({ ...good(), email })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409])
  })

  const organization = 'The Quiet Harbour Company'
  const email = 'somebody@quiet-harbour.example'
  for (const [name, body] of Object.entries({
    'shorter than 12 characters': { password: 'a1b2c3d4e5f' },
    'longer than 128 characters': { password: 'x'.repeat(129) },
    'of 12 UTF-16 units that are 6 characters': { password: '🙂'.repeat(6) },
    'one of the commonest': { password: '1Q2w3e4r5t6y' },
    'the address': { password: 'Somebody@quiet-harbour.example', email },
    'the organization': { password: 'the quiet harbour company', organization },
  })) {
    test(`400 names the password that is ${name}`, async () => {
      const { status, body: problem } = await register({ ...good(), ...body })
      assert.equal(status, 400)
      assert.deepEqual(
        problem.errors.map(({ path }: { path: string }) => path),
        ['password'],
      )
    })
  }

  test('400 names every member at fault', async () => {
    const { status, body } = await register({ email: 'nobody', colour: 1 })
    assert.equal(status, 400)
    const paths = body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths.sort(), ['colour', 'email', 'organization', 'password'])
  })

  test('a password signs in whichever form of Unicode it is written in', async () => {
    const address = someEmail()
    const password = 'ångström harbours'
    await register({ ...good(), email: address, password: password.normalize('NFD') })
    const body = { email: address, password: password.normalize('NFC') }
    const { status } = await openBrowser(world).ask('POST', '/portal/v1/sessions', body)
    assert.equal(status, 201)
  })

  test('403 sign_up_closed where members are invited', async () => {
    await using invited = await openWorld({ env: { PORTAL_SIGN_UP: 'invited' } })
    const { status, body } = await openBrowser(invited).ask(
      'POST',
      '/portal/v1/registrations',
      good(),
    )
    assert.deepEqual([status, body.code], [403, 'sign_up_closed'])
  })
})
