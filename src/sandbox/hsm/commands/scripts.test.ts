import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commonScriptKey, visaScriptKey } from '#emv/keys.ts'
import { cbcEncrypt, padded, retailMac, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { ask, bytes, imported, secret, upper } from '#test/support/services/hsm.ts'

const SMI = '0123456789ABCDEF1032547698BADCFE'
const SMC = 'FEDCBA98765432108CEFAB1045762301'
const PAN = '4000000000000002'
const CARD = bytes('0000000000000201')
const COUNTER = bytes('0000000000001234')
const ARQC = bytes('B7096482704F7076')
const COMMAND = bytes('8424000008')

const owner = (key: string, derivation: 'A' | 'B') => ({
  imk: new TdesKey(secret(key)),
  derivation,
  pan: new Secret(PAN),
  psn: '01',
})
const scripts = [
  ['KU', '0', COUNTER, (key: string) => visaScriptKey(owner(key, 'A'), bytes('1234'))],
  ['KU', '1', ARQC, (key: string) => commonScriptKey(owner(key, 'A'), ARQC)],
  ['KY', '0', COUNTER, (key: string) => visaScriptKey(owner(key, 'B'), bytes('1234'))],
  ['KY', '2', ARQC, (key: string) => commonScriptKey(owner(key, 'A'), ARQC)],
  ['KY', '3', ARQC, (key: string) => commonScriptKey(owner(key, 'B'), ARQC)],
] as const

for (const [command, scheme, seed, keyOf] of scripts) {
  test(`${command} of scheme ${scheme} makes the code of a command`, () => {
    const smi = imported('209', SMI)
    const said = [`0${scheme}`, smi, CARD, seed, '0005', COMMAND, ';']
    const mac = upper(retailMac(keyOf(SMI), padded(COMMAND, 8)))
    for (const end of ['', '%00']) {
      const answer = ask(command, ...said, end)
      assert.deepEqual([answer.code, upper(answer.fields)], ['00', mac])
    }
  })

  test(`${command} of scheme ${scheme} encrypts a part of it`, () => {
    const [smi, smc] = [imported('209', SMI), imported('309', SMC)]
    for (const part of ['0102030405060708', '01020304']) {
      const data = bytes(part)
      const whole = data.length === 8 ? data : padded(data, 8)
      const hidden = cbcEncrypt(keyOf(SMC), Buffer.alloc(8), whole)
      const text = Buffer.concat([COMMAND.subarray(0, 3), hidden, COMMAND.subarray(3)])
      const mac = retailMac(keyOf(SMI), padded(text, 8))
      const length = data.length.toString(16).padStart(4, '0')
      const said = [`1${scheme}`, smi, CARD, seed, '0005', COMMAND, ';']
      const answer = ask(command, ...said, smc, seed, '0003', length, data, ';')
      const expected = Buffer.concat([mac, Buffer.from('0008'), hidden])
      assert.deepEqual([answer.code, upper(answer.fields)], ['00', upper(expected)])
    }
  })
}

test('what is wrong with a script has a code', () => {
  const [smi, smc] = [imported('209', SMI), imported('309', SMC)]
  const rest = [CARD, COUNTER, '0005', COMMAND, ';']
  assert.equal(ask('KU', '20', smi, ...rest).code, '15')
  assert.equal(ask('KU', '03', smi, ...rest).code, '05')
  assert.equal(ask('KU', '00', smc, ...rest).code, '10')
  assert.equal(ask('KU', '00', smi, CARD, COUNTER, '0006', COMMAND).code, '80')
  assert.equal(ask('KU', '10', smi, ...rest, smc, COUNTER, '0006', '0000', ';').code, '15')
})
