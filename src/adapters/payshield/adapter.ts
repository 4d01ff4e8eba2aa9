/**
 * Security modules of the payShield family (D-1010 to D-1014): the commands that most issuers have.
 */

import { connect } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import type { ModuleCustody } from '#issuing/vault/provider.ts'
import type { Log } from '#kit/log.ts'
import { type PairFiles, readCertificates, readPair } from '#kit/net/certificates.ts'
import { StartError } from '#kit/start_error.ts'
import type { Adapter } from '../adapter.ts'
import { carrierOf } from './carrier.ts'
import { Commands } from './commands.ts'
import { moduleCustody } from './custody.ts'
import { type Dial, type Identity, Place } from './place.ts'
import { Pool } from './pool.ts'
import { type PayshieldSettings, settingsOf, variables } from './settings.ts'

export const payshield: Adapter<typeof variables, PayshieldSettings> = {
  name: 'payshield',
  provides: ['custody'],
  variables,
  settingsOf,
  open: (settings) => ({ custody: custodyOf(settings) }),
}

function custodyOf(settings: PayshieldSettings): ModuleCustody {
  return async (log, now) => {
    const { lmk, key_scheme: scheme, timeout_ms } = settings
    const commands = new Commands({ lmk: lmk === null ? '' : `%${lmk}`, scheme })
    const places = dials(settings, now).map(
      (dial, at) =>
        new Place({
          number: at + 1,
          dial,
          header: settings.header,
          connections: settings.connections,
          timeout_ms,
          diagnosis: commands.diagnosis(),
          log,
        }),
    )
    const close = () => {
      for (const place of places) place.close()
    }
    try {
      await assertAlike(places, log)
    } catch (error) {
      close()
      throw error
    }
    const parts = { pool: new Pool(places, timeout_ms), commands, settings }
    return { custody: moduleCustody(parts), carrier: carrierOf(parts), close }
  }
}

/** Asks each module what it is. Those that answer have one master key, and one answers at least. */
async function assertAlike(places: readonly Place[], log: Log): Promise<void> {
  const found = await Promise.all(
    places.map(async (place) => ({ place, identity: await identityOf(place, log) })),
  )
  const [first] = found.flatMap(({ identity }) => identity ?? [])
  if (!first) {
    throw new StartError(
      'no security module of HSM_ADDRESS answers: start one, or correct HSM_ADDRESS, HSM_HEADER ' +
        'and HSM_TLS_CA',
    )
  }
  for (const { place, identity } of found) {
    place.expected = first.check_value
    if (identity && identity.check_value !== first.check_value) {
      throw new StartError(
        `the security modules of HSM_ADDRESS have several master keys: ${first.check_value} at ` +
          `1, ${identity.check_value} at ${place.number}. Load one, or name it in HSM_LMK`,
      )
    }
  }
}

async function identityOf(place: Place, log: Log): Promise<Identity | undefined> {
  try {
    const identity = await place.identify()
    log.info({ hsm: place.number, ...identity }, 'a security module answers')
    return identity
  } catch (error) {
    log.warn({ hsm: place.number, err: error }, 'a security module does not answer')
    return undefined
  }
}

function dials({ addresses, tls }: PayshieldSettings, now: Date): Dial[] {
  if (!tls) return addresses.map((address) => () => connect({ ...address, noDelay: true }))
  const ca = readCertificates({ name: 'HSM_TLS_CA', path: tls.ca })
  const own = tls.own ? readPair(filesOf(tls.own), now) : undefined
  const pair = own && { cert: own.cert, key: own.key }
  return addresses.map(
    (address) => () =>
      tlsConnect({ ...address, ...pair, ca, minVersion: 'TLSv1.2' }).setNoDelay(true),
  )
}

const filesOf = ({ cert, key }: { cert: string; key: string }): PairFiles => ({
  cert: { name: 'HSM_TLS_CERT', path: cert },
  key: { name: 'HSM_TLS_KEY', path: key },
  ca: null,
})
