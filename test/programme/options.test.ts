import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { OFFLINE, offline } from './offline.ts'

test('what is missing or wrong of the options is a sentence, without the key', async () => {
  const key = 'bzt_very_secret_key'
  const cases: [args: string[], env: NodeJS.ProcessEnv, code: number, line: RegExp][] = [
    [['remove'], OFFLINE, 2, /unknown command 'remove'/],
    [['plan'], OFFLINE, 2, /missing required argument 'file'/],
    [['plan', 'a', 'b'], OFFLINE, 2, /too many arguments for 'plan'/],
    [['export', 'a'], OFFLINE, 2, /too many arguments for 'export'/],
    [['export', '--prune'], OFFLINE, 2, /unknown option '--prune'/],
    [['plan', 'a', '--yes'], OFFLINE, 2, /unknown option '--yes'/],
    [['plan', 'a', '--backtest', '93'], OFFLINE, 2, /It is not a number from 1 to 92/],
    [['plan', 'a', '--backtest', '1e1'], OFFLINE, 2, /It is not a number from 1 to 92/],
    [['apply', 'a', '--json'], OFFLINE, 2, /^apply --json asks nothing: give --yes$/],
    [['export'], { BEZANT_KEY: key }, 2, /^set both BEZANT_URL and BEZANT_KEY, or neither$/],
    [['export'], { BEZANT_URL: 'http://a' }, 2, /^set both BEZANT_URL and BEZANT_KEY/],
    [['export'], { BEZANT_URL: 'ftp://a', BEZANT_KEY: key }, 2, /^the address is not http/],
    [['export'], { BEZANT_URL: 'http://a', BEZANT_KEY: key }, 2, /would go over plain http/],
    [['export'], { BEZANT_URL: `http://u:${key}@a`, BEZANT_KEY: key }, 2, /^the address is not/],
    [['export'], { ...OFFLINE, BEZANT_KEY: `${key} ${key}` }, 2, /^that is no API key$/],
    [['export'], { ...OFFLINE, BEZANT_KEY: key, BEZANT_PUBLIC_KEY: 'a-public-key' }, 2, /a merchant/],
    [['export'], { ...OFFLINE, BEZANT_KEY: key }, 1, /was not answered as a whole: bad port$/],
    [['export', '--out', '/does/not/exist'], OFFLINE, 1, /was not answered as a whole/],
  ] // biome-ignore format: one line for each reads best.
  for (const [args, env, expected, line] of cases) {
    const { code, out, errors } = await offline(args, env)
    assert.equal(code, expected, args.join(' '))
    assert.match(errors, line)
    assert.ok(!`${out}${errors}`.includes(key), args.join(' '))
  }
})

test('what answers but is no such platform is a sentence, and gets the key once', async () => {
  let answer: [status: number, text: string] = [200, '']
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers['apikey']}`)
    const [status, text] = answer
    response.writeHead(status, { location: '/elsewhere' })
    response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // It listens on a port.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = 'bzt_very_secret_key'
  const cases: [answer: typeof answer, line: RegExp][] = [
    [[200, '<html>'], /^http:\S+ does not answer as this API does$/],
    [[200, '"text"'], /^http:\S+ does not answer as this API does$/],
    [[302, ''], /^GET \S+settings: the answer is a redirect, which a key does not follow \(302\)$/],
    [[401, '{}'], /^GET \/v1\/tenantsettings: the platform does not know this key \(401\)$/],
    [
      [403, `{"code":"permission_missing","detail":"${key} \\u001b[2J"}`],
      /: \*\*\* \\u001b\[2J \(403, permission_missing\)$/,
    ],
    [[500, 'bzt'], /^GET \/v1\/tenantsettings: bzt \(500\)$/],
  ]
  for (const [given, line] of cases) {
    answer = given
    asked.length = 0
    const { code, errors } = await offline(['export'], { BEZANT_URL: url, BEZANT_KEY: key })
    assert.equal(code, 1)
    assert.match(errors, line)
    assert.deepEqual(asked, [`/v1/tenantsettings ${key}`])
  }
  server.closeAllConnections()
  server.close()
})
