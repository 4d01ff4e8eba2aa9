/** The decisions: each number that is cited is in the table, and each page has its parts. */

import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

const FOLDER = 'docs/decisions'
const read = (path: string) => readFileSync(path, 'utf8')
const pages = globSync(`${FOLDER}/[0-9]*-*.md`).sort()
const table = read(`${FOLDER}/numbers.md`)
const listed = new Map(
  [...table.matchAll(/^\| (D-\d+) \| (.+) \|$/gm)].map(([, number = '', place = '']) => [
    number,
    place,
  ]),
)

const TEXTS = [
  '{src,apps,test,tools,bench,deploy,migrations,examples}/**/*.{ts,tsx,mjs,sql,css,md,yml,yaml}',
  'packages/client/src/**/*.ts',
  'docs/*.md',
  `${FOLDER}/*.md`,
  '*.md',
]
const files = globSync(TEXTS).filter((path) => !/node_modules|\/dist\//.test(path))

describe('the decisions', () => {
  test('are cited by numbers that the table has', () => {
    const unknown = files.flatMap((path) =>
      [...read(path).matchAll(/\bD-\d+\b/g)]
        .filter(([number]) => !listed.has(number))
        .map(([number]) => `${path}: ${number}`),
    )
    assert.deepEqual([...new Set(unknown)], [])
    assert.ok(listed.size > 600)
  })

  test('have a place for each number: pages and files of the table exist', () => {
    const links = [...table.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link)
    assert.ok(links.length > 400)
    const absent = links.filter((link) => !existsSync(`${FOLDER}/${link}`))
    assert.deepEqual(absent, [])
  })

  test('have one page a number, each with context, decision and consequences, in the index', () => {
    const index = read(`${FOLDER}/README.md`)
    for (const [at, path] of pages.entries()) {
      const name = path.slice(FOLDER.length + 1)
      assert.equal(name.slice(0, 4), String(at + 1).padStart(4, '0'), path)
      const [heading = ''] = read(path).split('\n')
      assert.match(heading, /^# \d{4} [A-Z]/, path)
      const parts = [...read(path).matchAll(/^## (.+)$/gm)].map(([, part]) => part)
      assert.deepEqual(parts, ['Context', 'Decision', 'Consequences'], path)
      assert.ok(index.includes(`[${heading.slice(2)}](${name})`), `the index lacks ${path}`)
    }
    assert.ok(pages.length >= 60)
  })

  test('that are cited by a page number exist', () => {
    const known = new Set(pages.map((path) => path.slice(FOLDER.length + 1, FOLDER.length + 5)))
    const cited = [...read('ARCHITECTURE.md').matchAll(/\((0\d{3})\b/g)].map(([, one = '']) => one)
    assert.ok(cited.length > 30)
    assert.deepEqual(
      cited.filter((one) => !known.has(one)),
      [],
    )
  })
})

/** Parts that the documents call missing, and a sign of each in the program once it is there. */
const NOT_BUILT: Readonly<Record<string, string>> = {}

test('what documents and code say is not built yet is not there', () => {
  const found = files.flatMap((path) =>
    read(path)
      .split('\n')
      .filter(
        (line) => /\bnot built yet\b/i.test(line) && path !== 'test/contract/decisions.test.ts',
      )
      .map((line) => `${path}: ${line}`),
  )
  const variables = read('src/config/variables.ts')
  const wrong = found.filter((line) => {
    const [, sign] =
      Object.entries(NOT_BUILT).find(([known]) => {
        const [path = '', words = ''] = known.split(': ')
        return line.startsWith(path) && line.includes(words)
      }) ?? []
    return sign === undefined || variables.includes(sign)
  })
  assert.deepEqual(wrong, [])
})
