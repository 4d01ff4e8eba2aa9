/** Quotas of a tenant (D-1005), over two processes. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { auditFiles } from '#issuing/identifications/identifications.ts'
import { type FormPart, form, pdf, png } from '#test/support/files.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { until } from '#test/support/services/receiver.ts'
import { openScanner } from '#test/support/services/scanner.ts'
import { openWorld } from '#test/support/world.ts'

const scanner = await openScanner()
after(() => scanner.close())
const { host, port } = scanner.address
const world = await openWorld({ env: { CLAMD_ADDRESS: `${host}:${port}` } })
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())
world.sweeper.start()

type Process = Pick<typeof world, 'request'>
const everywhere: readonly Process[] = [world, second]
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

async function tenantWith(settings: object) {
  const { id, api_key: key } = await world.otherTenant()
  const operators = `/v1/operator/tenants/${id}`
  const set = async (change: object) => {
    const options = { key: world.operator_key }
    const answer = await world.request('PUT', `${operators}/settings`, change, options)
    assert.equal(answer.status, 200, answer.text)
  }
  await set(settings)
  const usage = async () =>
    (await world.request('GET', '/v1/tenantsettings/usage', undefined, { key })).body
  return { id, key, operators, set, usage }
}

const part = (value: Buffer, file_name = 'a.pdf', name = 'file'): FormPart => ({
  name,
  value,
  file_name,
})

async function uploaderWith(settings: object) {
  const tenant = await tenantWith(settings)
  const { key } = tenant
  const folder = async (of: object = { first_name: 'Omar' }) => {
    const user = await world.request('POST', '/v1/users', of, { key })
    const documents = `/v1/users/${user.body.id}/identifications`
    const { body } = await world.request('POST', documents, { type: 'ADDITIONAL' }, { key })
    return `${documents}/${body.id}/files`
  }
  const upload = (path: string, parts: FormPart[], at: Process = world, more: object = {}) => {
    const { headers, payload } = form(...parts)
    return at.request('POST', path, payload, { key, headers: { ...headers, ...more } })
  }
  const remove = (path: string, id: string, at: Process = world) =>
    at.request('DELETE', `${path}/${id}`, undefined, { key })
  return { ...tenant, folder, upload, remove }
}

describe('stored bytes', () => {
  const names = { business_legal_name: 'Palm', business_dba_name: 'Palm' }
  const business = { user_type: 'BUSINESS', ...names }
  const file = pdf(Buffer.alloc(1000, 'x'))

  test('are those of all files, and deleting gives them back', async () => {
    const { folder, upload, remove, usage } = await uploaderWith({})
    const paths = [await folder(), await folder(business)]
    const made = []
    for (const path of paths) made.push((await upload(path, [part(file)])).body.id)
    const [several = ''] = paths
    const more = await upload(several, [
      part(png(), 'a.png', 'files'),
      part(file, 'b.pdf', 'files'),
    ])
    assert.equal(more.status, 200, more.text)
    const all = 3 * file.length + png().length
    assert.equal((await usage()).stored_bytes, all)
    assert.equal((await remove(several, made[0])).status, 200)
    assert.equal((await remove(several, made[0])).status, 404)
    assert.equal((await usage()).stored_bytes, all - file.length)
    assert.deepEqual(await auditFiles(world.db), [])
  })

  test('409 storage_full stores nothing of an upload, and is exact to a byte', async () => {
    const stored_bytes_max = 2 * file.length
    const { folder, upload, remove, usage, set } = await uploaderWith({ stored_bytes_max })
    const path = await folder()
    const three = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => part(file, name, 'files'))
    const refused = await upload(path, three)
    assert.deepEqual([refused.status, refused.body.code], [409, 'storage_full'])
    assert.equal((await usage()).stored_bytes, 0)
    const whole = await upload(path, three.slice(1))
    assert.equal(whole.status, 200)
    const { stored_bytes, stored_bytes_max: most } = await usage()
    assert.deepEqual([stored_bytes, most], [stored_bytes_max, stored_bytes_max])
    assert.equal((await upload(path, [part(png(), 'a.png')], second)).status, 409)
    assert.equal((await remove(path, whole.body.data[0].id, second)).status, 200)
    assert.equal((await upload(path, [part(png(), 'a.png')], second)).status, 200)
    await set({ stored_bytes_max: 0 })
    assert.equal((await upload(path, [part(png(), 'a.png')])).status, 409)
  })

  test('of uploads that race at two processes are never more than the quota', async () => {
    const tenant = await uploaderWith({ stored_bytes_max: 5 * file.length + 10 })
    const paths = await Promise.all(Array.from({ length: 12 }, () => tenant.folder()))
    const answers = await Promise.all(
      paths.map((path, at) => tenant.upload(path, [part(file)], everywhere[at % 2])),
    )
    assert.deepEqual(statusesOf(answers), [...Array(5).fill(200), ...Array(7).fill(409)])
    const removals = answers.flatMap(({ status, body }, at) =>
      status === 200 ? everywhere.map((by) => tenant.remove(paths[at] ?? '', body.id, by)) : [],
    )
    const removed = statusesOf(await Promise.all(removals))
    assert.deepEqual(removed, [...Array(5).fill(200), ...Array(5).fill(404)])
    assert.equal((await tenant.usage()).stored_bytes, 0)
    assert.deepEqual(await auditFiles(world.db), [])
  })

  test('of a repeated upload count once, also when there is no room for it again', async () => {
    const tenant = await uploaderWith({ stored_bytes_max: file.length })
    const path = await tenant.folder()
    const key = { 'x-bezant-idempotency-key': 'upload' }
    const once = await tenant.upload(path, [part(file)], world, key)
    const again = await tenant.upload(path, [part(file)], second, key)
    assert.deepEqual([once.status, again.status], [200, 200], again.text)
    assert.equal(again.body.id, once.body.id)
    assert.equal((await tenant.usage()).stored_bytes, file.length)
  })

  test('of a file in which a virus is found later are given back, once', async () => {
    const tenant = await uploaderWith({})
    const path = await tenant.folder()
    scanner.away = true
    const bad = png({ filler: Buffer.from('VIRUS') })
    const held = await tenant.upload(path, [part(bad, 'a.png')])
    assert.equal(held.body.scan_status, 'HELD')
    assert.equal((await tenant.usage()).stored_bytes, bad.length)
    scanner.away = false
    await world.db
      .updateTable('identification_files')
      .set({ scan_due: new Date(Date.now() - 1000) })
      .where('scan_due', 'is not', null)
      .execute()
    await until('it is given back', async () => (await tenant.usage()).stored_bytes === 0)
    assert.equal((await tenant.remove(path, held.body.id)).status, 200)
    assert.equal((await tenant.usage()).stored_bytes, 0)
    assert.deepEqual(await auditFiles(world.db), [])
  })

  test('that were miscounted are found by doctor', async () => {
    const tenant = await uploaderWith({})
    await tenant.upload(await tenant.folder(), [part(file)])
    const change = (by: number) =>
      world.db
        .updateTable('stored_bytes')
        .set((row) => ({ bytes: row('bytes', '+', BigInt(by)) }))
        .where('tenant_id', '=', tenant.id)
        .execute()
    await change(1)
    const [found] = await auditFiles(world.db)
    assert.match(found?.detail ?? '', /counted to store 1\d{3} bytes, and its files have 1\d{3}/)
    assert.equal(found?.tenant_id, tenant.id)
    await change(-1)
    assert.deepEqual(await auditFiles(world.db), [])
  })
})

describe('API keys', () => {
  const permissions = ['read']

  test('409 too_many_keys beyond the quota, by a member and by the operator', async () => {
    const { id, operators, usage } = await tenantWith({ api_keys_max: 3 })
    const { browser: owner } = await memberWith(world, 'owner', id)
    const byMember = () => owner.ask('POST', '/portal/v1/keys', { name: 'Shop', permissions })
    const byOperator = () =>
      second.request('POST', `${operators}/keys`, { permissions }, { key: world.operator_key })
    assert.equal((await byMember()).status, 201)
    const { body } = await byOperator()
    const { api_keys, api_keys_max } = await usage()
    assert.deepEqual([api_keys, api_keys_max], [3, 3])
    for (const answer of [await byMember(), await byOperator()]) {
      assert.deepEqual([answer.status, answer.body.code], [409, 'too_many_keys'])
    }
    const revoked = `${operators}/keys/${body.id}`
    const options = { key: world.operator_key }
    assert.equal((await world.request('DELETE', revoked, undefined, options)).status, 200)
    assert.equal((await byMember()).status, 201)
    assert.equal((await byOperator()).status, 409)
  })

  test('that are made at one moment at two processes are never more than the quota', async () => {
    const { id, operators, usage } = await tenantWith({ api_keys_max: 6 })
    const { browser: owner } = await memberWith(world, 'owner', id)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => [
        owner.ask('POST', '/portal/v1/keys', { name: `Shop ${at}`, permissions }),
        second.request('POST', `${operators}/keys`, { permissions }, { key: world.operator_key }),
      ]).flat(),
    )
    const full = answers.filter(({ body }) => body.code === 'too_many_keys')
    assert.equal(full.length, 11)
    assert.equal((await usage()).api_keys, 6)
  })

  test('are 200 at most where nothing is set', async () => {
    const { usage } = await tenantWith({})
    assert.equal((await usage()).api_keys_max, 200)
  })
})

test('the operator reads the usage of each tenant, and no tenant sets a quota', async () => {
  const { key, operators } = await tenantWith({ stored_bytes_max: 5000 })
  const options = { key: world.operator_key }
  const { body } = await world.request('GET', `${operators}/usage`, undefined, options)
  const ofKeys = { api_keys: 1, api_keys_max: 200 }
  assert.deepEqual(body, { stored_bytes: 0, stored_bytes_max: 5000, ...ofKeys })
  const names = ['stored_bytes_max', 'api_keys_max', 'tenant_rate_limit_burst']
  for (const name of names) {
    const change = { [name]: 10 }
    const { status } = await world.request('PUT', '/v1/tenantsettings', change, { key })
    assert.equal(status, 403, name)
  }
})
