import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Authenticator, type Deviation, newKey } from '#test/support/portal/authenticator.ts'
import {
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from './ceremonies.ts'
import { relyingPartyOf } from './relying_party.ts'

const ORIGIN = 'https://cards.example:8443'
const ANN = '0190aaaa-0000-7000-8000-000000000001'
const BOB = '0190aaaa-0000-7000-8000-000000000002'
const person = { id: ANN, email: 'ann@shop.example', known: [] }
const keysOf = (key: Buffer) => ({
  digest: (_purpose: string, data: string) => createHmac('sha256', key).update(data).digest(),
})
const party = relyingPartyOf(`${ORIGIN}/path`, 'Bank') ?? assert.fail()
const begin = new Date('2026-01-01T00:00:00Z')
const ceremony = { keys: keysOf(randomBytes(32)), party, now: begin }
const later = (ms: number) => ({ ...ceremony, now: new Date(begin.getTime() + ms) })

async function registered() {
  const authenticator = new Authenticator(ORIGIN)
  const response = authenticator.register(await registrationOptions(ceremony, person))
  const passkey = (await verifyRegistration(ceremony, ANN, response)) ?? assert.fail()
  return { authenticator, passkey: { ...passkey, person_id: ANN } }
}

test('the host of the public URL is the relying party, and an address is none', () => {
  assert.deepEqual(party, { id: 'cards.example', name: 'Bank', origin: ORIGIN })
  assert.equal(relyingPartyOf('http://localhost:8080', 'Bank')?.id, 'localhost')
  assert.equal(relyingPartyOf('http://192.0.2.1:8080', 'Bank'), undefined)
  assert.equal(relyingPartyOf('http://[2001:db8::1]:8080', 'Bank'), undefined)
  for (const url of ['http://127.0.0.1:8080', 'http://[::1]:8080']) {
    const local = relyingPartyOf(url, 'Bank')
    assert.deepEqual([local?.id, local?.origin], ['localhost', 'http://localhost:8080'])
  }
})

test('a passkey is asked for as discoverable, with verification of its person', async () => {
  const options = await registrationOptions(ceremony, { ...person, known: ['AAAA'] })
  assert.equal(options.authenticatorSelection?.residentKey, 'required')
  assert.equal(options.authenticatorSelection?.userVerification, 'required')
  assert.deepEqual(
    options.pubKeyCredParams.map(({ alg }) => alg),
    [-7, -257],
  )
  assert.deepEqual(
    options.excludeCredentials?.map(({ id }) => id),
    ['AAAA'],
  )
  const { allowCredentials = [], userVerification } = await signInOptions(ceremony)
  assert.deepEqual([allowCredentials, userVerification], [[], 'required'])
})

test('a passkey that was registered signs in, with a counter that grows', async () => {
  const { authenticator, passkey } = await registered()
  assert.equal(passkey.id, authenticator.passkeys[0]?.id)
  assert.deepEqual([passkey.counter, passkey.transports], [0n, ['internal']])
  const first = await verifySignIn(
    ceremony,
    passkey,
    authenticator.signIn(await signInOptions(ceremony)),
  )
  assert.equal(first?.counter, 1n)
  const response = authenticator.signIn(await signInOptions(ceremony))
  const second = await verifySignIn(ceremony, { ...passkey, counter: 1n }, response)
  assert.equal(second?.counter, 2n)
  assert.notDeepEqual(second?.challenge_hash, first?.challenge_hash)
})

test('a copy whose counter has not grown does not sign in', async () => {
  const { authenticator, passkey } = await registered()
  const response = authenticator.signIn(await signInOptions(ceremony))
  assert.equal(await verifySignIn(ceremony, { ...passkey, counter: 1n }, response), undefined)
})

const deviations: Record<string, Deviation> = {
  'of another origin': { origin: 'https://evil.example' },
  'of another port': { origin: 'https://cards.example' },
  'for another relying party': { rp_id: 'evil.example' },
  'to a challenge of another program': { challenge: randomBytes(54).toString('base64url') },
  'without verification of the person': { verified: false },
}

for (const [name, deviation] of Object.entries(deviations)) {
  test(`a response ${name} registers nothing and signs nobody in`, async () => {
    const { authenticator, passkey } = await registered()
    const options = await registrationOptions(ceremony, person)
    const made = new Authenticator(ORIGIN).register(options, deviation)
    assert.equal(await verifyRegistration(ceremony, ANN, made), undefined)
    const signed = authenticator.signIn(await signInOptions(ceremony), deviation)
    assert.equal(await verifySignIn(ceremony, passkey, signed), undefined)
  })
}

test('a response of another key, or with the handle of another person, does not sign in', async () => {
  const { authenticator, passkey } = await registered()
  for (const deviation of [
    { key: newKey() },
    { user_handle: Buffer.from(BOB).toString('base64url') },
  ]) {
    const signed = authenticator.signIn(await signInOptions(ceremony), deviation)
    assert.equal(await verifySignIn(ceremony, passkey, signed), undefined)
  }
})

test('a challenge is of one use, one person and five minutes', async () => {
  const { authenticator, passkey } = await registered()
  const registration = await registrationOptions(ceremony, person)
  const signIn = await signInOptions(ceremony)
  const made = new Authenticator(ORIGIN).register(registration)
  assert.equal(await verifyRegistration(ceremony, BOB, made), undefined)
  assert.equal(await verifyRegistration(later(5 * 60_000), ANN, made), undefined)
  assert.ok(await verifyRegistration(later(5 * 60_000 - 1), ANN, made))

  const crossed = authenticator.signIn({ ...signIn, challenge: registration.challenge })
  assert.equal(await verifySignIn(ceremony, passkey, crossed), undefined)
  const swapped = new Authenticator(ORIGIN).register({
    ...registration,
    challenge: signIn.challenge,
  })
  assert.equal(await verifyRegistration(ceremony, ANN, swapped), undefined)
  const signed = authenticator.signIn(signIn)
  assert.equal(await verifySignIn(later(5 * 60_000), passkey, signed), undefined)
})

test('a response that is not of the form is no error of the program', async () => {
  const { authenticator, passkey } = await registered()
  const signed = authenticator.signIn(await signInOptions(ceremony))
  for (const broken of ['', 'AAAA', '%%%']) {
    const response = { ...signed.response, authenticatorData: broken }
    assert.equal(await verifySignIn(ceremony, passkey, { ...signed, response }), undefined)
    const options = await registrationOptions(ceremony, person)
    const made = new Authenticator(ORIGIN).register(options)
    const attested = { ...made, response: { ...made.response, attestationObject: broken } }
    assert.equal(await verifyRegistration(ceremony, ANN, attested), undefined)
  }
})
