import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toLatin } from './latin.ts'

const names: [string, string][] = [
  ['Łódź Półka', 'Lodz Polka'],
  ['Straße', 'Strasse'],
  ['Smørrebrød Ærø', 'Smorrebrod Aero'],
  ['Đặng Íslenskt það Þór', 'Dang Islenskt thad Thor'],
  ['Jose\u0301 Nin\u0303o Đa\u0323\u0306ng', 'Jose Nino Dang'],
  ['Işıl Kapı', 'Isil Kapi'],
  ['Café\u00a0 Zürich', 'Cafe Zurich'],
  ['متجر', 'mtjr'],
  ['پاکستان ٹریڈرز', 'pakstan trydrz'],
  ['محل عمر', 'mhl amr'],
  ['\u202bعلی\u200cرضا\u202c', 'alyrda'],
  ['Ελληνικό Καφέ', 'Elliniko Kafe'],
  ['Кофе Ёлка', 'Kofe Elka'],
  ['東京', 'DongJing'],
  ['ร้านกาแฟ', 'rankaaef'],
  ['ﻣﺘﺠﺮ ٢٤', 'mtjr 24'],
  ['L’Oréal Oʻzbek', "L'Oreal O'zbek"],
  ["Grill 'n' Go's!", "Grill 'n' Go's!"],
  ['«Café» – “Bar”…', 'Cafe - Bar ...'],
  ['№5 ½ A+B', 'No5 1/2 A+B'],
  ['☕👩🏽‍🍳 A\0B\tC', 'AB C'],
  ['\u200f\u200b', ''],
]
for (const [name, latin] of names) {
  test(`${JSON.stringify(name)} is ${latin || 'nothing'} in Latin letters`, () => {
    assert.equal(toLatin(name), latin)
  })
}

const alphabets = {
  Arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي',
  Persian: 'پچژکگی',
  Urdu: 'ٹڈڑںھےۓ',
  Greek: 'αβγδεζηθικλμνξοπρστυφχψωςΆΈΉΊΌΎΏ',
  Russian: 'абвгдеёжзийклмнопрстуфхцчшщыэюя',
  Ukrainian: 'єіїґўђћљњџ',
  Thai: 'กขคฆงจฉชซญฎฏฐณดตถทธนบปผฝพฟภมยรลวศษสหฬฮ',
  Devanagari: 'कखगघचछजझटठडढतथदधनपफबभमयरलवशषसह',
  Hebrew: 'בגדהוזחטיכלמנספצקרשת',
  European: 'łßøæœđðþıħŧŋəąęėįųūõäöüåčšžřůőűãñçğşțșăâîểệữợđ',
}
for (const [script, letters] of Object.entries(alphabets)) {
  test(`no letter of ${script} is left out`, () => {
    const silent = [...letters].filter((letter) => !/[a-z]/i.test(toLatin(`1${letter}`)))
    assert.deepEqual(silent, [])
  })
}
