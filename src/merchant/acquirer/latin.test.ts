import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLatin } from './latin.ts'

const names: [string, string][] = [
  ['Łódź Półka', 'Lodz Polka'],
  ['Straße', 'Strasse'],
  ['Smørrebrød Ærø', 'Smorrebrod AEro'],
  ['Đặng Íslenskt það Þór', 'Dang Islenskt thad Thor'],
  ['Işıl Kapı', 'Isil Kapi'],
  ['Café\u00a0 Zürich', 'Cafe Zurich'],
  ['متجر', ''],
]
for (const [name, latin] of names) {
  test(`${name} is ${latin || 'nothing'} in Latin letters`, () => {
    assert.equal(toLatin(name), latin)
  })
}
