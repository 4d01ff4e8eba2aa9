import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkName } from './network_name.ts'

const shops: [display_name: string, descriptor: string | null, name: string][] = [
  ['متجر', 'SOUK', 'SOUK'],
  ['Café Zürich', 'ZURICH*CAFE', 'ZURICH*CAFE'],
  ['Großbäckerei Müller & Söhne', null, 'Grossbackerei Muller & So'],
  ['Şişli Çiçekçisi ve Hediyelik', null, 'Sisli Cicekcisi ve Hediye'],
  ['متجر 24', null, 'mtjr 24'],
  ['24 متجر', null, '24 mtjr'],
  ['Caffè Кофе', null, 'Caffe Kofe'],
  ['東京 Tokyo', null, 'DongJing Tokyo'],
  ['Ａｂ ☕ Ｃ', null, 'Ab C'],
  ['متجر & مقهى', null, ''],
  ['«متجر» – دبي', null, ''],
  ['東京', null, ''],
  ['٢٤', null, ''],
  ['☕ 👩🏽‍🍳', null, ''],
]
for (const [display_name, descriptor, name] of shops) {
  test(`${display_name} with descriptor ${descriptor} is ${name || 'nothing'} in DE43`, () => {
    assert.equal(networkName({ display_name, descriptor }), name)
  })
}
