/** docs/hsm_simulator.md says of the simulator what it does. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ask, bytes, done, upper } from '#test/support/services/hsm.ts'
import { answerTo, commands } from './answer.ts'
import { CODES } from './errors.ts'
import { KEY_TYPES } from './key_types.ts'
import { checkValueOfLmk, LMKS } from './lmk.ts'

const PAGE = readFileSync('docs/hsm_simulator.md', 'utf8')
/** The section of a heading. */
const sectionOf = (heading: string) => PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
/** The cells of the rows of a section. */
const rowsOf = (heading: string) =>
  sectionOf(heading)
    .split('\n')
    .filter((line) => /^\| [^-]/.test(line))
    .map((line) =>
      line
        .slice(2, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )

test('it has a row for each command, error code and type of key', () => {
  const wordsOf = (heading: string) =>
    rowsOf(heading).flatMap(([names = '']) => names.match(/\b[0-9A-Z]{2,3}\b/g) ?? [])
  assert.deepEqual(wordsOf('Commands').toSorted(), [...commands.keys()].toSorted())
  assert.deepEqual(wordsOf('Error codes').toSorted(), Object.values(CODES).toSorted())
  const types = wordsOf('Keys')
  for (const { code } of KEY_TYPES) assert.ok(types.includes(code), code)
})

test('the exchange is one that takes place', () => {
  const hex = [...sectionOf('Messages').matchAll(/^([0-9a-f][0-9a-f ]*?)(?: {3,}.*)?$/gm)]
  const stream = bytes(hex.map(([, part = '']) => part.replaceAll(' ', '')).join(''))
  const length = stream.readUInt16BE()
  const answer = stream.subarray(2 + length)
  assert.equal(answer.readUInt16BE(), answer.length - 2)
  assert.equal(upper(answerTo(stream.subarray(2, 2 + length), 4)), upper(answer.subarray(2)))
})

test('it has the master keys with their check values', () => {
  const section = sectionOf('The test LMK')
  for (const lmk of LMKS) {
    const row = `| ${lmk.id} | \`${checkValueOfLmk(lmk)}\` | \`${upper(lmk.block.key.reveal())}\` |`
    assert.ok(section.includes(row), row)
  }
  const pairs = section.match(/\b[0-9A-F]{32}(?=[ \n])/g)
  assert.deepEqual(
    pairs,
    LMKS[0]?.pairs.map((pair) => upper(pair.reveal())),
  )
})

test('its transport keys are under the master keys', () => {
  let found = 0
  for (const [, check = '', ...cells] of rowsOf('The test LMK').filter(([a]) => a?.length !== 2)) {
    for (const [lmk, cell] of cells.entries()) {
      for (const [key] of cell.matchAll(/\b[US][0-9A-Z]{30,}/g)) {
        const more = key.startsWith('S') ? ['FF', '1', key, ';FFF'] : ['00', '1', key]
        assert.equal(`\`${done('BU', ...more, `%0${lmk}`)}\``, check)
        found += 1
      }
    }
  }
  assert.equal(found, 5)
})

test('its example makes a ZPK', () => {
  const [, fields = ''] = /`A0(0FFFS[^`]+)`/.exec(PAGE) ?? []
  assert.match(ask('A0', fields).text, /^S00072P0TB00E0001/)
})
