/** The command `bezant` against the program: each subcommand, its output and its exit code. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { Bezant } from '#client/index.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { openProxy } from '../programme/proxy.ts'
import { openCommand } from './running.ts'

const keep = keeper()
const world = keep(await openWorld({ settings: { pci_compliant: true } }))
const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 })
const { api_key } = world.tenant
const bezant = new Bezant({ baseUrl, apiKey: api_key })
const operator = new Bezant({ baseUrl, apiKey: world.operator_key })
await operator.operator.fundTenant(world.tenant.id, { currency: 'AED', amount: 1_000_000 })
const command = keep(openCommand({ BEZANT_URL: baseUrl, BEZANT_KEY: api_key }))
/** A command without a platform in its environment. */
const bare = keep(openCommand())
const { run } = command
const json = async (...words: string[]) => {
  const { code, out, err } = await run([...words, '--json'])
  assert.equal(code, 0, err)
  return JSON.parse(out)
}
const ESCAPE = '\u001b'

const { steps } = await json(
  'trigger',
  'purchase',
  '--amount',
  '12.50',
  '--merchant',
  'كتب世界書店',
)
const idOf = (part: string): string =>
  steps.find(({ what }: { what: string }) => what.includes(part))?.id ?? assert.fail(part)
const [user_id, card_id, paid] = [idOf('a user is'), idOf('a card is'), idOf('a purchase of')]
const disputed = (await json('trigger', 'dispute.opened')).steps.at(-1).id
const declined = (await json('trigger', '1016')).steps.at(-1).id

describe('get, post, put and delete', () => {
  test('print the answer and end with 0', async () => {
    const made = await run(['post', '/v1/users', 'first_name=Aisha', 'last_name=Khan'])
    assert.equal(made.code, 0, made.err)
    const { id } = JSON.parse(made.out)
    const read = await run(['get', `/users/${id}`])
    assert.partialDeepStrictEqual(JSON.parse(read.out), { id, last_name: 'Khan' })
    const put = await run(['put', `/cards/${card_id}/authsettings`, 'max_amount:=500'])
    assert.equal(put.code, 0, put.err)
    const endpoint = 'https://shop.example/hook'
    const webhook = await bezant.webhooks.create({ endpoint, events: ['TRANSACTION'] })
    assert.equal((await run(['delete', `/webhooks/${webhook.id}`])).code, 0)
  })

  test('take a query, members of members, and a body of a file or of standard input', async () => {
    const page = await run(['get', '/users', '--query', 'limit=1'])
    assert.equal(JSON.parse(page.out).data.length, 1)
    const pay = ['post', '/simulate/authorizations', `card_id=${card_id}`, 'amount:=1']
    const paid_at = await run([...pay, 'currency=AED', 'merchant.mcc=5411', 'merchant.id=SHOP'])
    assert.partialDeepStrictEqual(JSON.parse(paid_at.out).merchant, { id: 'SHOP', mcc: '5411' })
    const input = JSON.stringify({ first_name: 'Omar', last_name: 'Khan' })
    assert.equal((await run(['post', '/users', '-d', '-'], { input })).code, 0)
    const file = join(command.folder, 'user.json')
    writeFileSync(file, input)
    assert.equal((await run(['post', '/users', '-d', `@${file}`])).code, 0)
  })

  test('end with 1 for an error of the API, whose answer and key of idempotency they print', async () => {
    const missing = await run(['get', '/users/00000000-0000-7000-8000-000000000000'])
    assert.equal(missing.code, 1)
    assert.equal(JSON.parse(missing.out).code, 'not_found')
    const words = ['post', '/users', 'email=none', '--idempotency-key', 'one-key-of-mine']
    const refused = await run(words)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /first_name: /)
    assert.match(refused.err, /--idempotency-key one-key-of-mine/)
  })

  test('take effect once under one key of idempotency', async () => {
    const words = ['post', '/users', 'first_name=A', 'last_name=Once', '--idempotency-key', 'once']
    const [one, other] = [await run(words), await run(words)]
    assert.equal(JSON.parse(one.out).id, JSON.parse(other.out).id)
  })

  test('mask card numbers and codes unless they are asked for', async () => {
    const path = `/cards/${card_id}:reveal`
    const masked = JSON.parse((await run(['get', path])).out)
    assert.match(masked.card_number, /^\d{6}\*+\d{4}$/)
    assert.equal(masked.cvv2, '***')
    const shown = JSON.parse((await run(['get', path, '--reveal'])).out)
    assert.match(shown.card_number, /^\d{16}$/)
  })

  for (const path of [
    '/../merchant',
    '/users/%2e%2E/x',
    '/users/..%2fx',
    '//evil.example/users',
    'https://evil.example/users',
    '/users?status=ACTIVE',
    '/users\\..',
    'users',
  ]) {
    test(`refuse the path ${path} before any request`, async () => {
      const { code, err } = await run(['get', path])
      assert.equal(code, 2, err)
    })
  }

  for (const words of [['a'], ['a:=x'], ['__proto__.a=1'], ['a=1', 'a.b=2'], ['a=1', 'a=2']]) {
    test(`refuse the members ${words.join(' ')}`, async () => {
      assert.equal((await run(['post', '/users', ...words])).code, 2)
    })
  }
})

describe('lists', () => {
  for (const width of [24, 40, 80, 120]) {
    for (const name of ['users', 'cards', 'accounts', 'transactions', 'disputes']) {
      test(`${name} fit a terminal of ${width} columns, without colours`, async () => {
        const { out, code } = await run([name, 'list'], { env: { COLUMNS: String(width) } })
        assert.equal(code, 0)
        const lines = out.trimEnd().split('\n')
        assert.ok(lines.length >= 2, out)
        const { default: widthOf } = await import('string-width')
        assert.deepEqual(
          lines.filter((line) => widthOf(line) > width),
          [],
        )
        assert.ok(!out.includes(ESCAPE))
        assert.match(out, /ID/)
      })
    }
  }

  test('align amounts to the right, and cut nothing where there is no terminal', async () => {
    const { out } = await run(['transactions', 'list', '--card-id', card_id])
    const [head = '', ...rows] = out.trimEnd().split('\n')
    assert.ok(rows.length >= 1)
    const end = head.indexOf('AMOUNT') + 'AMOUNT'.length
    for (const row of rows) assert.match(row.slice(0, end), / AED$/)
    assert.ok(out.includes(paid))
    assert.ok(out.includes('كتب世界書店'), out)
  })

  test('of disputes: the queue by deadline, and the steps from open to withdrawn', async () => {
    const { data } = await json('disputes', 'list', '--sort-by', 'deadline', '--status', 'DRAFT')
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [disputed],
    )
    const { transaction_id } = await json('disputes', 'show', disputed)
    const submitted = await run(['disputes', 'submit', disputed])
    assert.deepEqual([submitted.code, submitted.out], [0, `${disputed} SUBMITTED\n`])
    const words = ['--reason', 'FRAUD', '--explanation', 'Not by me']
    const second = await run(['disputes', 'open', transaction_id, ...words])
    assert.equal(second.code, 1)
    assert.match(second.err, /nothing_to_dispute|nothing/i)
    const withdrawn = await json('disputes', 'withdraw', disputed, '--note', 'It came')
    assert.partialDeepStrictEqual(withdrawn.moves.at(-1), { step: 'WITHDRAW', note: 'It came' })
    const again = await json('disputes', 'open', transaction_id, ...words, '--amount', '1')
    assert.partialDeepStrictEqual(again, { status: 'DRAFT', amount: 1, reason: 'FRAUD' })
    assert.equal((await run(['disputes', 'accept', again.id])).code, 1)
    assert.equal((await run(['disputes', 'open', transaction_id, '--reason', 'NONE'])).code, 2)
  })

  test('take the filters of the API, pages and all', async () => {
    const found = await json('transactions', 'list', '--status', 'DECLINED')
    assert.deepEqual(
      [...new Set(found.data.map((one: { status: string }) => one.status))],
      ['DECLINED'],
    )
    const page = await run(['users', 'list', '--limit', '1'])
    const after = /--after (\S+),/.exec(page.err)?.[1] ?? assert.fail(page.err)
    const next = await json('users', 'list', '--limit', '1', '--after', after)
    assert.equal(next.data.length, 1)
    const all = await run(['users', 'list', '--all', '--json', '--limit', '2'])
    const lines = all.out.trimEnd().split('\n')
    assert.equal(lines.length, (await bezant.users.list().all({ limit: 1_000 })).length)
    for (const line of lines) assert.ok(JSON.parse(line).id)
  })

  test('have every filter of the document', async () => {
    const { resources } = await import('../../apps/cli/commands/resources/table.ts')
    const { default: document } = await import('../../docs/openapi/issuing.json', {
      with: { type: 'json' },
    })
    for (const [name, { filters }] of Object.entries(resources)) {
      const paths: Record<string, { get?: { parameters?: { name?: string; in?: string }[] } }> =
        document.paths as never
      const parameters = paths[`/${name}`]?.get?.parameters ?? assert.fail(name)
      const own = parameters.filter((one) => one.in === 'query').map((one) => one.name)
      const filterNames = filters.map(({ filter }) => filter)
      assert.deepEqual([...filterNames, 'limit', 'after'].sort(), own.sort())
    }
  })

  test('end with 2 for an unknown value, option or subcommand', async () => {
    for (const words of [
      ['users', 'list', '--status', 'NONE'],
      ['users', 'list', '--nothing'],
      ['nothing'],
      ['users', 'show'],
      ['clock', 'advance', 'soon'],
      ['trigger', 'nothing'],
      ['trigger', 'kyc.passed', '--card', card_id],
    ]) {
      const { code, err } = await run(words)
      assert.equal(code, 2, `${words.join(' ')}: ${err}`)
      assert.notEqual(err, '')
    }
  })

  test('show one object, in lines and as JSON', async () => {
    const { out } = await run(['cards', 'show', card_id])
    assert.match(out, new RegExp(`^id +${card_id}$`, 'm'))
    assert.match(out, /^masked_card_number +\d{6}\*+\d{4}$/m)
    assert.equal((await json('users', 'show', user_id)).id, user_id)
    assert.equal((await json('transactions', 'show', paid)).status, 'PENDING')
  })
})

describe('explain, logs and clock', () => {
  test('a decline is explained by the check that made it', async () => {
    const { out, code } = await run(['explain', declined])
    assert.equal(code, 0)
    assert.match(out, /^The purchase of 1,000,000\.00 AED at Trigger shop was declined: 1016 /)
    assert.match(out, /The check “funds” declined it/)
    assert.match(out, /^ {2}✗ funds/m)
    const approved = await run(['explain', paid])
    assert.match(approved.out, /was approved: 0000/)
    assert.match(approved.out, /Every check passed/)
    assert.equal((await json('explain', declined)).status_code, '1016')
  })

  test('decisions are shown as they happen, with filters', async () => {
    const child = command.start([
      'logs',
      'tail',
      '--card',
      card_id,
      '--status',
      'DECLINED',
      '--count',
      '1',
    ])
    const [begun] = await once(createInterface(child.stderr), 'line')
    assert.match(begun, /^Decisions of /)
    const lines = createInterface(child.stdout)
    const first = once(lines, 'line')
    await run(['trigger', 'purchase', '--card', card_id])
    await run(['trigger', 'purchase', '--card', card_id, '--amount', '499999'])
    const [line] = await first
    assert.match(line, /DECLINED 18\d\d +499,999\.00 AED +PURCHASE/)
    if (child.exitCode === null) await once(child, 'exit')
    assert.equal(child.exitCode, 0)
  })

  test('decisions are shown from where they were after the connection was broken', async () => {
    const proxy = await openProxy(baseUrl)
    using tail = openCommand({ BEZANT_URL: proxy.url, BEZANT_KEY: api_key })
    const child = tail.start(['logs', 'tail', '--card', card_id, '--count', '1'])
    const remarks = createInterface(child.stderr)[Symbol.asyncIterator]()
    const remark = async () => String((await remarks.next()).value)
    assert.match(await remark(), /^Decisions of /)
    proxy.decide(() => 'later')
    proxy.breakAll()
    assert.equal(await remark(), 'The connection is broken: trying again.')
    await run(['trigger', 'purchase', '--card', card_id, '--amount', '7.77'])
    const first = once(createInterface(child.stdout), 'line')
    proxy.decide(() => 'pass')
    assert.match((await first)[0], / 7\.77 AED /)
    assert.equal(await remark(), 'Connected again.')
    if (child.exitCode === null) await once(child, 'exit')
    assert.equal(child.exitCode, 0)
    await proxy.close()
  })

  test('the clock is shown, advanced and set', async () => {
    const { now } = await json('clock', 'show')
    const moved = await json('clock', 'advance', '1d12h')
    assert.ok(Date.parse(moved.now) - Date.parse(now) >= 36 * 3_600_000)
    const set = await run(['clock', 'set', '2090-01-01T00:00:00Z'])
    assert.match(set.out, /^it is 2090-01-01T00:00:0/)
    assert.equal((await run(['clock', 'set', '2020-01-01T00:00:00Z'])).code, 1)
  })
})

describe('profiles', () => {
  test('are added by standard input, used, listed and removed; the file is its owner’s', async () => {
    const add = ['profile', 'add', 'own', baseUrl]
    assert.equal((await bare.run(add, { input: `${api_key}\n` })).code, 0)
    const file = join(bare.folder, 'bezant', 'profiles.json')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal((await bare.run(['users', 'show', user_id])).code, 0)
    await bare.run(['profile', 'add', 'other', 'https://b.example'], { input: 'another-key' })
    const listed = await bare.run(['profile', 'list'])
    assert.match(listed.out, /^\* +other +API key +https:\/\/b\.example$/m)
    assert.ok(!listed.out.includes('another-key') && !listed.out.includes(api_key))
    assert.equal((await bare.run(['users', 'show', user_id, '-p', 'own'])).code, 0)
    assert.equal((await bare.run(['profile', 'use', 'own'])).code, 0)
    assert.equal((await bare.run(['users', 'show', user_id])).code, 0)
    assert.equal((await bare.run(['profile', 'remove', 'own'])).code, 0)
    assert.equal((await bare.run(['users', 'list', '-p', 'own'])).code, 2)
    assert.equal((await bare.run(['users', 'list'])).code, 1)
  })

  test('take no key for plain http, no address with a password, and no bad name', async () => {
    for (const [name, url] of [
      ['a', 'http://issuer.example'],
      ['a', 'https://user:word@issuer.example'],
      ['a', 'ftp://issuer.example'],
      ['__proto__', 'https://issuer.example'],
    ] as const) {
      const { code } = await bare.run(['profile', 'add', name, url], { input: 'some-api-key' })
      assert.equal(code, 2, `${name} ${url}`)
    }
  })

  test('the sandbox of DATA_DIR is found by itself, and its operator sets what it must', async () => {
    const sandbox = {
      base_url: baseUrl,
      operator_key: world.operator_key,
      tenant: { id: world.tenant.id, api_key, currency: 'AED' },
      merchant: { public_key: 'public', private_key: 'private' },
    }
    using own = openCommand()
    writeFileSync(join(own.folder, 'sandbox.json'), JSON.stringify(sandbox))
    const { code, out, err } = await own.run(['trigger', 'document.expiring'])
    assert.equal(code, 0, err)
    assert.match(out, /^event USER_DOCUMENT_ALERT/m)
    const policy = async () =>
      (await operator.operator.getSettings(world.tenant.id)).expired_idv_policy
    const before = await policy()
    const child = own.start(['trigger', 'document.expiring'])
    for await (const line of createInterface(child.stdout)) {
      if (line.startsWith('a passport')) child.kill('SIGINT')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    assert.equal(child.signalCode, null)
    assert.deepEqual(await policy(), before)
  })
})

describe('a hostile or missing server', () => {
  test('control characters of its answers are made visible', async () => {
    const name = `${ESCAPE}[31mred\u202e\u009b`
    const user = { id: 'x', status: 'ACTIVE', first_name: name, created: '2026-01-15T09:00:00Z' }
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ data: [user], has_more: true, after: name, ...user }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const env = { BEZANT_URL: `http://127.0.0.1:${Object(server.address()).port}` }
    const surroundings = { env: { ...env, FORCE_COLOR: '0' } }
    for (const words of [
      ['users', 'list'],
      ['users', 'show', 'x'],
      ['get', '/users'],
    ]) {
      const { out, err, code } = await run(words, surroundings)
      assert.equal(code, 0, err)
      assert.match(out, /\\u001b\[31mred\\u202e\\u009b/)
      assert.equal(
        [ESCAPE, '\u202e', '\u009b'].some((one) => (out + err).includes(one)),
        false,
      )
    }
    server.close()
  })

  test('a redirect is not followed, so the key goes to no other host', async () => {
    const seen: string[] = []
    const other = createServer((request, response) => {
      seen.push(String(request.headers['apikey']))
      response.end('{}')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const location = `http://127.0.0.1:${Object(other.address()).port}/v1/users`
    const server = createServer((_, response) => {
      response.writeHead(307, { location }).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const env = { BEZANT_URL: `http://127.0.0.1:${Object(server.address()).port}` }
    for (const words of [
      ['users', 'list'],
      ['get', '/users'],
    ]) {
      assert.equal((await run(words, { env })).code, 1)
    }
    assert.deepEqual(seen, [])
    server.close()
    other.close()
  })

  test('no answer ends with 1 and a sentence, which has no key', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${Object(server.address()).port}`
    server.close()
    await once(server, 'close')
    const { code, err } = await run(['put', '/users/x', 'a=1'], { env: { BEZANT_URL: url } })
    assert.equal(code, 1)
    assert.match(err, /nothing listens there/)
    assert.ok(!err.includes(api_key))
  })
})

describe('colours', () => {
  test('are there when they are forced, and not with NO_COLOR', async () => {
    const coloured = await run(['transactions', 'list'], { env: { FORCE_COLOR: '1' } })
    assert.ok(coloured.out.includes(ESCAPE))
    const plain = await run(['transactions', 'list'], { env: { NO_COLOR: '1' } })
    assert.ok(!plain.out.includes(ESCAPE))
  })
})
