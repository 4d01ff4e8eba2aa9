/** TLS to the issuers of ISSUERS_FILE, with issuers on loopback. */

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createLog } from '#kit/log.ts'
import { openOwnSockets } from '#kit/net/own_sockets.ts'
import { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import { openIssuer } from '#test/e2e/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { certificate, certificatePath } from '#test/support/services/certificates.ts'
import { readConfig } from './config.ts'
import { namedDial, usualDial } from './tls.ts'

const keep = keeper()
const folder = mkdtempSync(join(tmpdir(), 'dials-'))
after(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'issuers.json')

const served = (name: 'server' | 'other') => ({
  cert: certificate(`${name}.pem`),
  key: certificate(`${name}.key`),
})
const CLIENT = { cert: certificatePath('client.pem'), key: certificatePath('client.key') }
const CA = certificatePath('ca.pem')

const PATIENT_MS = 5_000
/** A plain issuer never answers the greeting of TLS, so no time is long enough. */
const PLAIN_MS = 250

/** The kind of an exchange with an issuer that is served so and configured so. */
async function exchanged(tls: object | undefined, configured: object | undefined) {
  const issuer = keep(await openIssuer(() => '00', { ...(tls && { tls }) }))
  const address = `127.0.0.1:${issuer.port}`
  writeFileSync(file, JSON.stringify([{ name: 'falcon', address, tls: configured }]))
  const config = readConfig({ ISSUERS_FILE: file, ISSUER_ADDRESS: '127.0.0.1:9' })
  const at = config.issuers.get('falcon')
  assert.ok(at)
  const dial = namedDial(at, new Date())
  const usual = usualDial(config, openOwnSockets(), new Date())
  const log = createLog('silent')
  const { dialect, header } = at
  const common = { dialect, header, log, connections: 1 }
  const link = keep(
    new IssuerLink({
      usual: { ...common, address: () => config.issuer_address, dial: usual },
      named: new Map([['falcon', { ...common, address: () => at.address, dial }]]),
      log,
    }),
  )
  const fields = { 7: '1126120000', 11: '000001', 32: '60400000001', 37: 'REF000000001' }
  const patience = configured && !tls ? PLAIN_MS : PATIENT_MS
  return (await link.exchange('falcon', { mti: '0100', fields }, patience)).kind
}

const MUTUAL = { ...served('server'), ca: certificate('ca.pem'), requestCert: true }

const cases: [
  what: string,
  served: object | undefined,
  configured: object | undefined,
  kind: string,
][] = [
  ['plain', undefined, undefined, 'answered'],
  ['with a certificate of its CA', served('server'), { ca: CA }, 'answered'],
  ['with a certificate of both', MUTUAL, { ca: CA, ...CLIENT }, 'answered'],
  ['with a certificate of another CA', served('other'), { ca: CA }, 'unsent'],
  ['where our CA is another', served('server'), { ca: certificatePath('other.pem') }, 'unsent'],
  ['that requires a client certificate and gets none', MUTUAL, { ca: CA }, 'unsent'],
  ['that is plain where TLS is configured', undefined, { ca: CA }, 'unsent'],
  ['that has TLS where plain is configured', served('server'), undefined, 'unsent'],
]
for (const [what, tls, configured, kind] of cases) {
  test(`an issuer ${what}: a request is ${kind}`, async () => {
    assert.equal(await exchanged(tls, configured), kind)
  })
}

test('a certificate that cannot be read ends the start with a line that names the issuer', async () => {
  await assert.rejects(
    exchanged(undefined, { ca: join(folder, 'none.pem') }),
    /^StartError: ISSUERS_FILE falcon TLS_CA \(.*none\.pem\) cannot be read \(ENOENT\)/,
  )
})
