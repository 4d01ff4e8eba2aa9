import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { LEFT_OUT, moduleFiles } from './module_suite.ts'
import { filesOf } from './suites.ts'

const core = filesOf('core', true)
const system = filesOf('system', true)

describe('the two commands of tests', () => {
  test('run every test file, and none of them twice', () => {
    const every = globSync(['{apps,src,test}/**/*.test.ts', 'packages/*/{src,test}/**/*.test.ts'])
    assert.deepEqual([...core, ...system].sort(), every.sort())
  })

  test('open a page of each application in the first', () => {
    const opened = core.filter((file) => file.startsWith('test/browser/'))
    assert.equal(opened.length, 3)
    assert.ok(
      opened.every((file) => /\/(console|checkout|widgets)\b/.test(file)),
      opened.join(),
    )
  })

  test('leave what loads the machine for minutes to a deep run', () => {
    const usual = new Set([...filesOf('core', false), ...filesOf('system', false)])
    const others = [...core, ...system].filter((file) => !usual.has(file))
    assert.ok(others.length > 0)
    assert.ok(
      others.every((file) => file.startsWith('test/reliability/')),
      others.join(),
    )
  })
})

describe('the tests with keys in a module', () => {
  test('leave out what is there, and nothing else by the same name', () => {
    const texts = moduleFiles().map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    for (const { file, name } of LEFT_OUT) {
      const found = texts.filter(({ text }) => text.includes(name))
      assert.deepEqual(
        found.map((one) => one.file),
        [file],
        name,
      )
    }
  })
})
