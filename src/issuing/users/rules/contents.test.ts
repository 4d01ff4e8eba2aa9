import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { changedLockedFields, checkContents } from './contents.ts'
import {
  belongsTo,
  type FieldName,
  fieldNames,
  fields,
  type UserType,
  userTypes,
} from './fields.ts'

const enough: Record<UserType, Record<string, unknown>> = {
  INDIVIDUAL: { first_name: 'A' },
  BUSINESS: { business_legal_name: 'A', business_dba_name: 'B' },
  DIRECTOR: { first_name: 'A', last_name: 'B', designation: 'C' },
  SIGNATURE: { first_name: 'A', last_name: 'B', designation: 'C' },
  SHAREHOLDER: { first_name: 'A', last_name: 'B', shares_percentage: '10' },
  SHAREHOLDER_BUSINESS: {
    business_legal_name: 'A',
    license_type: 'B',
    license_expiry: '2030-01-01',
  },
}

const rule = (
  type: UserType,
  sent: Record<string, unknown>,
  { present = {}, verified = false }: { present?: object; verified?: boolean } = {},
) => checkContents(type, { present, sent, today: '2026-01-01', verified })

function faultsOf(...input: Parameters<typeof rule>): string[] {
  const result = rule(...input)
  return result.ok ? [] : (result.errors ?? []).map(({ path }) => path)
}

for (const type of userTypes) {
  describe(type, () => {
    test('is content with its required fields and with nothing less', () => {
      assert.deepEqual(faultsOf(type, enough[type]), [])
      for (const name of Object.keys(enough[type])) {
        assert.deepEqual(faultsOf(type, { ...enough[type], [name]: undefined }), [name])
        assert.deepEqual(faultsOf(type, { ...enough[type], [name]: ' ' }), [name])
        const cleared = faultsOf(type, { [name]: null }, { present: enough[type] })
        assert.deepEqual(cleared, [name])
      }
    })
  })
}

// Fields that not every type has | the types that have them, by their first letters
const table: [names: FieldName[], types: UserType[]][] = [
  [['designation'], ['DIRECTOR', 'SIGNATURE']],
  [['local_address', 'shares_percentage', 'share_controller_name'], ['SHAREHOLDER']],
  [['license_type', 'license_expiry'], ['SHAREHOLDER_BUSINESS']],
  [
    fieldNames.slice(fieldNames.indexOf('business_legal_name')),
    ['BUSINESS', 'SHAREHOLDER_BUSINESS'],
  ],
]

describe('a field belongs to its types only', () => {
  for (const [names, types] of table) {
    test(`${names[0]} …: ${types.join(', ')}`, () => {
      for (const type of userTypes) {
        for (const name of names) {
          assert.equal(belongsTo(type, name), types.includes(type), `${type} ${name}`)
        }
      }
    })
  }

  test('every other field belongs to every type', () => {
    const special = new Set(table.flatMap(([names]) => names))
    for (const name of fieldNames.filter((name) => !special.has(name))) {
      for (const type of userTypes) assert.ok(belongsTo(type, name), `${type} ${name}`)
    }
    assert.equal(fieldNames.length, Object.keys(fields).length)
  })
})

describe('contents are converted to their stored form', () => {
  // field | sent | stored, or undefined when rejected
  const table: [name: FieldName, sent: unknown, stored: unknown][] = [
    ['title', 'mr', 'MR'],
    ['mobile', '+971 50 123 4567', '+971501234567'],
    ['mobile', '00971501234567', '+971501234567'],
    ['mobile', '0501234567', undefined],
    ['mobile', '+44 7911 123456 ext 5', undefined],
    ['phone_number', '+1', undefined],
    ['country_residence', 'ae', 'ARE'],
    ['country_residence', 'ARE', 'ARE'],
    ['country_residence', 'UAE', undefined],
    ['address', { country: 'xx' }, undefined],
    ['address', { country: 'GB', city: 'London' }, { country: 'GBR', city: 'London' }],
    ['nationality', 'Emirati', 'Emirati'],
    ['nationality', 'ae', 'ARE'],
    ['other_operated_countries', 'AE, IN,Nowhere', 'ARE,IND,Nowhere'],
    ['date_of_birth', '1990-02-03T23:59:59+04:00', '1990-02-03'],
    ['date_of_birth', '2026-01-02', undefined],
    ['old_entity_ops_end_date', '', ''],
    ['annual_turnover', '1500.50', '1500.50'],
    ['annual_turnover', 0.1, '0.1'],
    ['annual_turnover', '1,5', undefined],
    ['annual_turnover', '-1', undefined],
    ['annual_turnover', '1e3', undefined],
    ['annual_turnover', '1.00001', undefined],
    ['annual_turnover', 999999999999999, '999999999999999'],
    ['annual_turnover', '9999999999999.999', undefined],
  ]
  for (const [name, sent, stored] of table) {
    test(`${name} ${JSON.stringify(sent)} → ${JSON.stringify(stored)}`, () => {
      const result = rule('BUSINESS', { ...enough.BUSINESS, [name]: sent })
      assert.deepEqual(result.ok ? result.value[name] : undefined, stored)
    })
  }

  test('objects merge, a null member is cleared, and the last one clears the object', () => {
    const present = { ...enough.INDIVIDUAL, address: { city: 'Dubai', country: 'ARE' } }
    const merged = (address: unknown) => {
      const result = rule('INDIVIDUAL', { address }, { present })
      return result.ok ? result.value.address : assert.fail()
    }
    assert.deepEqual(merged({ city: 'Sharjah' }), { city: 'Sharjah', country: 'ARE' })
    assert.deepEqual(merged({ city: null }), { country: 'ARE' })
    assert.equal(merged({ city: null, country: null }), null)
    assert.equal(merged(null), null)
  })

  test('lists are empty for every type but a BUSINESS', () => {
    for (const type of userTypes) {
      assert.deepEqual(faultsOf(type, { ...enough[type], director_list: [] }), [])
      const filled = faultsOf(type, { ...enough[type], director_list: ['x'] })
      assert.deepEqual(filled, type === 'BUSINESS' ? [] : ['director_list'])
    }
  })
})

describe('under identity verification', () => {
  const good = { first_name: 'A', last_name: 'B' }
  const address = { postal_code: '00000', country: 'AE' }
  const uk = (postal_code: string) => ({ address: { country: 'GB', postal_code } })
  const table: [rule: string, sent: object, faults: string[]][] = [
    ['1 first_name and last_name are required', { last_name: undefined }, ['last_name']],
    [
      '2 postal_code and country go with an address',
      { address: { city: 'X' } },
      ['address.postal_code', 'address.country'],
    ],
    ['2 the value 00000 passes', { address }, []],
    ['3 a UK postal code has a space', uk('EC1A 1BB'), []],
    ['3 and fails without', uk('EC1A1BB'), ['address.postal_code']],
    ['4 USA is not supported', { address: { ...address, country: 'US' } }, ['address.country']],
    ['5 characters of addresses', { address: { ...address, city: 'a^b' } }, ['address.city']],
    ['5 a # passes there', { address: { ...address, address_line1: '#5; "x"' } }, []],
    ['5 in every address', { company_address: { city: '$' } }, ['company_address.city']],
    ...[...'^!#$%*=<>;{}"'].map((char): [string, object, string[]] => [
      `6 ${char} in a name`,
      { middle_name: `a${char}` },
      ['middle_name'],
    ]),
  ]
  for (const [name, sent, faults] of table) {
    test(name, () => {
      assert.deepEqual(faultsOf('INDIVIDUAL', { ...good, ...sent }, { verified: true }), faults)
    })
  }

  test('the rules do not apply to other tenants, nor to fields that are not sent', () => {
    const sent = { first_name: 'A#', address: { country: 'US' } }
    assert.deepEqual(faultsOf('INDIVIDUAL', sent), [])
    const present = { ...good, address: { country: 'USA' } }
    const email = { email: 'a@example.com' }
    assert.deepEqual(faultsOf('INDIVIDUAL', email, { present, verified: true }), [])
  })
})

test('a locked field counts only when its value changes', () => {
  const present = { first_name: 'A', last_name: null, date_of_birth: '1990-01-01' }
  assert.deepEqual(changedLockedFields(present, { first_name: 'A', last_name: null }), [])
  assert.deepEqual(changedLockedFields(present, { first_name: 'B', date_of_birth: null }), [
    'first_name',
    'date_of_birth',
  ])
  assert.deepEqual(changedLockedFields(present, { email: 'a@example.com' }), [])
})
