import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { offline } from './offline.ts'
import { fileOf, openPlatform } from './support.ts'

const keep = keeper()
const PAGE = readFileSync('docs/programme.md', 'utf8')

test('the transcript of docs/programme.md is what the commands print of its file', async () => {
  const platform = await openPlatform()
  keep(platform.world)
  const [, text = ''] = /```yaml\n([\s\S]*?)```/.exec(PAGE) ?? []
  const lines: string[] = []
  const ran = async (name: string, words: string, code: number, content: string) => {
    const [command = '', ...options] = words.split(' ')
    const args = [command, fileOf(content), ...options]
    const env = { HOOK_TOKEN: 'token-of-the-hook' }
    const { out, errors, ...ended } = await platform.run(args, { env })
    assert.deepEqual([errors, ended.code], ['', code])
    lines.push(`$ programme ${[command, name, ...options].join(' ')}`, out, '')
  }
  await ran('programme.yaml', 'apply --yes', 0, text)
  const changed = text.replace('max_amount: 5000', 'max_amount: 4000').replace(', "5499"', '')
  assert.notEqual(changed, text)
  await ran('programme.yaml', 'plan', 2, changed)
  await ran('programme.yaml', 'apply --yes', 0, changed)
  await ran('programme.yaml', 'plan', 0, changed)
  const transcript = lines.join('\n').trimEnd()
  assert.ok(PAGE.includes(`\n\`\`\`\n${transcript}\n\`\`\`\n`), `it has to be:\n${transcript}`)
})

const OFFLINE = { BEZANT_URL: 'http://127.0.0.1:1', BEZANT_KEY: 'bzt_of_no_tenant' }

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
