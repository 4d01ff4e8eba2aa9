import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { fileOf } from './files.ts'
import { openPlatform } from './support.ts'

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
    lines.push(`$ bezant ${[command, name, ...options].join(' ')}`, out, '')
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
