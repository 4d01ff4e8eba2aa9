import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { commandMac, type ScriptedRequest, scriptResults, scriptTemplate } from './scripts.ts'
import { writeTlv } from './tlv.ts'
import type { VersionName } from './versions.ts'

const bytes = (hex: string) => Buffer.from(hex, 'hex')
const key = (hex: string) => new TdesKey(new Secret(bytes(hex)))

const card = {
  imk_smi: key('FEDCBA98765432100123456789ABCDEF'),
  pan: new Secret('1234567890123456'),
}
const requestOf = (version: VersionName, arqc: string): ScriptedRequest => ({
  version,
  atc: 0x1c,
  arqc: bytes(arqc),
  psn: '00',
})

// Values of the reference implementation pyemv: version, request cryptogram, command, its code.
const known: [VersionName, string, string, string][] = [
  ['VISA_CVN10', '29CCA15AE665FA2E', '8418000008', 'DB56BA60087CEFD3'],
  ['VISA_CVN18', '7A788EA6B8A3E733', '8418000008', '04EDE90BC24CC35E'],
  ['MASTERCARD_CVN16', '24CCF3DEE3158C70', '8424000008', 'ED0AB162BAB1DE61'],
  ['MASTERCARD_CVN17', 'EAE8A620A75648D8', '8424000008', '4D1858456CD0F22A'],
  ['MASTERCARD_CVN20', 'CD29615D6452E70E', '8424000008', '01C0F0DFBF6AA230'],
  ['MASTERCARD_CVN21', 'C30E54BE496CF5E5', '8424000008', '5E89E990C51CEE94'],
]

for (const [version, arqc, header, mac] of known) {
  test(`a command to a card of ${version} has the code of the reference`, () => {
    const made = commandMac(card, requestOf(version, arqc), bytes(header))
    assert.equal(made.toString('hex').toUpperCase(), mac)
  })
}

test('a script is a template 72 with its identifier and one command', () => {
  const request = requestOf('MASTERCARD_CVN16', '24CCF3DEE3158C70')
  const unblock = scriptTemplate(card, request, { name: 'UNBLOCK_PIN', number: 7 })
  assert.equal(
    writeTlv([unblock]).toString('hex').toUpperCase(),
    '72169F180400000007860D8424000008ED0AB162BAB1DE61',
  )
  const block = scriptTemplate(card, request, { name: 'BLOCK', number: 8 })
  assert.match(writeTlv([block]).toString('hex'), /^72169f180400000008860d841e000008/)
})

test('results name their script; anything else is left out', () => {
  assert.deepEqual(scriptResults(bytes('2000000007' + '1100000008' + '0000000009')), [
    { number: 7, outcome: 'DONE' },
    { number: 8, outcome: 'FAILED' },
    { number: 9, outcome: 'NOT_PERFORMED' },
  ])
  for (const hex of ['', '20', '20000000', 'F000000007']) {
    assert.deepEqual(scriptResults(bytes(hex)), [])
  }
})
