import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalJson } from './canonical.ts'

const of = (text: string) => canonicalJson(JSON.parse(text))

describe('the canonical text of a JSON value', () => {
  test('does not depend on the order of members, at any depth', () => {
    const one = '{"b": {"y": [1, {"q": 1, "p": 2}], "x": null}, "a": 1, "10": 1, "9": 2}'
    const other = '{"9": 2, "10": 1, "a": 1, "b": {"x": null, "y": [1, {"p": 2, "q": 1}]}}'
    assert.equal(of(one), of(other))
  })

  test('depends on the order of a list, on every value and on its type', () => {
    const texts = ['[1,2]', '[2,1]', '["1",2]', '[1,[2]]', '[12]', '{"1":2}', '{"2":1}', 'null']
    assert.equal(new Set(texts.map(of)).size, texts.length)
  })

  test('does not depend on how a number or a text is written', () => {
    assert.equal(of('{"a": 1.0, "b": "\\u0061", "c": -0}'), of('{"c":0,"b":"a","a":1}'))
  })

  test('is empty where there is no value', () => {
    assert.equal(canonicalJson(undefined), '')
  })

  test('of a wide and deep value is one text of its length', () => {
    const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`m${at}`, at]))
    const deep = JSON.parse(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`)
    assert.equal(canonicalJson(wide).length, JSON.stringify(wide).length)
    assert.equal(canonicalJson(deep), JSON.stringify(deep))
  })
})
