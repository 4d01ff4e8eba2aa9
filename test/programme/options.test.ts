import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { OFFLINE, offline } from './offline.ts'

test('what is missing or wrong of the options is a sentence, without the key', async () => {
  const key = 'bzt_very_secret_key'
  const cases: [args: string[], env: NodeJS.ProcessEnv, line: RegExp][] = [
    [[], OFFLINE, /^say export, plan or apply/],
    [['remove'], OFFLINE, /^say export, plan or apply/],
    [['plan'], OFFLINE, /^plan needs the name of a file$/],
    [['plan', 'a', 'b'], OFFLINE, /^plan takes one file$/],
    [['export', 'a'], OFFLINE, /^export takes no file$/],
    [['export', '--prune'], OFFLINE, /^export has no option --prune$/],
    [['plan', 'a', '--yes'], OFFLINE, /^plan has no option --yes$/],
    [['plan', 'a', '--backtest', '93'], OFFLINE, /^--backtest is 1 to 92 days$/],
    [['plan', 'a', '--backtest', '1e1'], OFFLINE, /^--backtest is 1 to 92 days$/],
    [['export', '--what'], OFFLINE, /^Unknown option '--what'/],
    [['export', `--key=${key}`, `--${key}`], OFFLINE, /^an option is not known/],
    [['export'], { BEZANT_KEY: key }, /^give --url, or set BEZANT_URL$/],
    [['export'], { BEZANT_URL: 'http://a' }, /^give --key, or set BEZANT_KEY$/],
    [['export', '--url', 'ftp://a', '--key', key], {}, /^--url is not an http address$/],
    [['export', '--url', `http://u:${key}@a`, '--key', key], {}, /^--url has a user or/],
    [['export', '--url', 'http://a', '--key', `${key}\n`], {}, /^the key is not an API key$/],
    [['export', '--key', key], OFFLINE, /^http:\/\/127\.0\.0\.1:1 does not answer$/],
    [['export', '--out', '/does/not/exist'], OFFLINE, /does not answer/],
  ]
  for (const [args, env, line] of cases) {
    const { code, out, errors } = await offline(args, env)
    assert.equal(code, 1, args.join(' '))
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
    [[302, ''], /^http:\S+ does not answer$/],
    [[401, '{}'], /^the platform does not know this API key$/],
    [
      [403, `{"code":"permission_missing","detail":"${key} \\u001b[2J"}`],
      /403 permission_missing: \*\*\* \\u\{1b\}\[2J$/,
    ],
    [[500, 'bzt'], /^GET \/v1\/tenantsettings answered 500$/],
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
