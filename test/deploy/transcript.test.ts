import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { drills } from '../../deploy/drills/drills.ts'
import { Transcript } from '../../deploy/drills/transcript.ts'

test('a page has the steps and lines of its drill, in blocks', () => {
  const transcript = new Transcript(() => {})
  transcript.step('It starts')
  transcript.explain('Two processes serve.')
  transcript.print('one\ntwo\n')
  transcript.step('It stops')
  transcript.print('three')
  const page = transcript.page('sample', 'A sample')
  assert.match(page, /^# A sample\n\nWritten by `npm run drill -- sample --write`/)
  const steps = page.slice(page.indexOf('## '))
  const first = '## 1. It starts\n\nTwo processes serve.\n\n```text\none\ntwo\n```\n'
  assert.equal(steps, `${first}\n## 2. It stops\n\n\`\`\`text\nthree\n\`\`\`\n`)
})

test('a page keeps figures and has words for what differs with each run', () => {
  const seen: string[] = []
  const transcript = new Transcript((line) => seen.push(line))
  transcript.replace('/tmp/drill-x7', 'FOLDER')
  transcript.replace('/tmp/drill-x7/data', 'DATA')
  transcript.replace(4711, 'PID')
  const line =
    '2026-11-25T21:46:05.123Z 21:46:05 127.0.0.1:43121 01a1feb5-2760-7459-80e6-b77099a2817a ' +
    '/tmp/drill-x7/data /tmp/drill-x7 4711 12.5 s 12,300 rows'
  transcript.print(line)
  const stable = 'TIME TIME 127.0.0.1:PORT ID DATA FOLDER PID 12.5 s 12,300 rows'
  assert.ok(transcript.page('sample', 'A sample').includes(`\n${stable}\n`))
  assert.deepEqual(seen, [`  ${line}`])
})

test('every drill is in the table, and every page is of one', () => {
  const modules = globSync('deploy/drills/*.ts').filter((path) =>
    /^export async function drill\(/m.test(readFileSync(path, 'utf8')),
  )
  assert.deepEqual(modules.map((path) => basename(path, '.ts')).sort(), Object.keys(drills).sort())
  const pages = globSync('docs/transcripts/*.md').map((path) => basename(path, '.md'))
  assert.deepEqual(
    pages.filter((name) => !(name in drills)),
    [],
  )
})
