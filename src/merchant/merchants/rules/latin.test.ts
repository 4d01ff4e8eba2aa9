import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkName, toLatin } from './latin.ts'

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

const shops: [display_name: string, descriptor: string | null, name: string][] = [
  ['متجر', 'SOUK', 'SOUK'],
  ['Café Zürich', 'ZURICH*CAFE', 'ZURICH*CAFE'],
  ['Großbäckerei Müller & Söhne', null, 'Grossbackerei Muller & So'],
  ['Şişli Çiçekçisi ve Hediyelik', null, 'Sisli Cicekcisi ve Hediye'],
  ['متجر 24', null, '24'],
  ['متجر & مقهى', null, ''],
  ['«متجر» – دبي', null, ''],
  ['東京', null, ''],
]
for (const [display_name, descriptor, name] of shops) {
  test(`${display_name} with descriptor ${descriptor} is ${name || 'nothing'} in DE43`, () => {
    assert.equal(networkName({ display_name, descriptor }), name)
  })
}
