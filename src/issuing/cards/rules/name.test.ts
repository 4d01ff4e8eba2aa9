import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkName, defaultName } from './name.ts'

const unnamed = {
  first_name: null,
  last_name: null,
  business_dba_name: null,
  business_legal_name: null,
}

/** The stored name, or the start of the fault. */
function read(result: ReturnType<typeof defaultName>): string | null | undefined {
  return result.ok ? result.value : `400 ${result.errors?.[0]?.message.split(' ')[2]}`
}

describe('a name that is sent', () => {
  const table: [sent: string, physical: string, virtual: string][] = [
    ['A KHAN', 'A KHAN', 'A KHAN'],
    ['Layla Aziz', 'Layla Aziz', 'Layla Aziz'],
    ["O'NEILL/MARY-ANN.DR 2", "O'NEILL/MARY-ANN.DR 2", "O'NEILL/MARY-ANN.DR 2"],
    ['\u200fA KHAN\u00a0\u202c', 'A KHAN', 'A KHAN'],
    ['AB', 'AB', 'AB'],
    ['A', '400 2', 'A'],
    ['X'.repeat(26), 'X'.repeat(26), 'X'.repeat(26)],
    ['X'.repeat(27), '400 2', 'X'.repeat(27)],
    ['A^B', '400 2', 'A^B'],
    ['A%B', '400 2', 'A%B'],
    ['A?B', '400 2', 'A?B'],
    ['José', '400 2', 'José'],
    ['Groß', '400 2', 'Groß'],
    ['ılık', '400 2', 'ılık'],
    ['عائشة', '400 2', 'عائشة'],
    ['علي\u200cرضا', '400 2', 'علي\u200cرضا'],
    ['王小明', '400 2', '王小明'],
    ['A\u00a0B', '400 2', 'A\u00a0B'],
    ['A\nB', '400 contain', '400 contain'],
    ['A KHAN\r', '400 contain', '400 contain'],
    ['A\u0085B', '400 contain', '400 contain'],
    ['A\u2028B', '400 contain', '400 contain'],
    ['   ', '400 be', '400 be'],
    ['\t', '400 be', '400 be'],
    ['\u00a0\u200b\u200f', '400 be', '400 be'],
    ['\u3164', '400 be', '400 be'],
  ]
  for (const [sent, physical, virtual] of table) {
    test(`${JSON.stringify(sent)} is ${physical} physical, ${virtual} virtual`, () => {
      assert.equal(read(checkName(sent, 'PHYSICAL')), physical)
      assert.equal(read(checkName(sent, 'VIRTUAL')), virtual)
    })
  }
})

describe('the default', () => {
  const person = (first_name: string, last_name: string | null = null) => ({
    ...unnamed,
    first_name,
    last_name,
  })
  const business = { ...unnamed, business_dba_name: 'Dunes', business_legal_name: 'Dunes LLC' }
  const table: [
    name: string,
    holder: typeof unnamed | object,
    physical: string,
    virtual: string,
  ][] = [
    ['person', person('Aisha', 'Khan'), 'Aisha Khan', 'Aisha Khan'],
    ['person without a last name', person('Aisha'), 'Aisha', 'Aisha'],
    ['business', business, 'Dunes', 'Dunes'],
    ['business of one letter', { ...business, business_dba_name: 'ك' }, 'Dunes LLC', 'ك'],
    [
      'letters with marks',
      person('Łukasz', 'Müller-Groß'),
      'LUKASZ MULLER-GROSS',
      'Łukasz Müller-Groß',
    ],
    [
      'decomposed letters',
      person('Jose\u0301', 'Nin\u0303o'),
      'JOSE NINO',
      'Jose\u0301 Nin\u0303o',
    ],
    ['Arabic letters', person('محمد', 'الخليفي'), 'MHMD ALKHLYFY', 'محمد الخليفي'],
    ['Chinese letters', person('小明', '王'), 'XIAOMING WANG', '小明 王'],
    ['Cyrillic letters', person('Юлия', 'Щукина'), 'YULIYA SHCHUKINA', 'Юлия Щукина'],
    ['typographic apostrophe', person('Mary', 'O’Neill'), "MARY O'NEILL", 'Mary O’Neill'],
    ['emoji', person('Aisha 😀', 'Khan^'), 'AISHA KHAN', 'Aisha 😀 Khan^'],
    ['control character', person('Aisha\n', 'Khan'), 'Aisha Khan', 'Aisha Khan'],
    [
      'long words',
      person('Muhammad Abdulrahman', 'Khalifa'),
      'MUHAMMAD ABDULRAHMAN',
      'Muhammad Abdulrahman Khalifa',
    ],
    [
      '26 and a word',
      person('Muhammad', 'Abdulrahman Khali X'),
      'MUHAMMAD ABDULRAHMAN KHALI',
      'Muhammad Abdulrahman Khali X',
    ],
    ['one long word', person('x'.repeat(99), '😀b'), 'X'.repeat(26), 'x'.repeat(99)],
    ['one letter', person('Q'), '400 no', 'Q'],
    ['signs', person('😀', '--'), '400 no', '😀 --'],
  ]
  for (const [name, holder, physical, virtual] of table) {
    test(`of a holder by ${name} is ${physical} physical`, () => {
      assert.equal(read(defaultName(null, holder, 'PHYSICAL')), physical)
      assert.equal(read(defaultName(null, holder, 'VIRTUAL')), virtual)
    })
  }

  test('the name that the card had precedes that of its holder, where it can be embossed', () => {
    const holder = person('Aisha', 'Khan')
    assert.equal(read(defaultName('A  KHAN', holder, 'PHYSICAL')), 'A  KHAN')
    assert.equal(read(defaultName('Holiday', holder, 'PHYSICAL')), 'Holiday')
    assert.equal(read(defaultName('سفر', holder, 'PHYSICAL')), 'SFR')
    assert.equal(read(defaultName('😀', holder, 'PHYSICAL')), 'Aisha Khan')
    assert.equal(read(defaultName('😀', holder, 'VIRTUAL')), '😀')
  })

  test('nobody and no name give none, and a fault for a physical card', () => {
    assert.equal(read(defaultName(null, unnamed, 'VIRTUAL')), null)
    assert.equal(read(defaultName(null, undefined, 'PHYSICAL')), '400 no')
  })
})
