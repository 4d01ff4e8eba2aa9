/** A network of NETWORKS_FILE as a program knows it that does not listen, and a key from it. */

import { NetworkKeys, upsertLines } from '#issuing/networks/networks.ts'
import { checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import type { NamedNetwork } from '#src/config/networks.ts'
import { zoneKeyText } from '#test/support/services/zone_keys.ts'
import type { World } from '#test/support/world.ts'

export const NETWORK: NamedNetwork = {
  name: 'scheme',
  role: 'connect',
  addresses: [{ host: 'scheme.example', port: 9100 }],
  dialect: 'bcd',
  header: 'binary2',
  envelope: 'none',
  sign_on: 'us',
  institution: '0',
  echo_s: 30,
  deadline_ms: 1_500,
  codes: 'generic',
  billing: 'own',
  track2_fill: 'left_zero',
  bins: null,
  allow: null,
  connections: 1,
  connections_per_address: 1,
  mac: { required: true, method: { algorithm: 'iso9797_3', padding: 2 } },
  zmk_file: '/secrets/zmk.hex',
  clearing: null,
}

const keyOf = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

/** Takes the key that an operator has asked the network for, as the process that is connected does. */
export async function answerExchange({ services }: World): Promise<void> {
  const zmk = '0123456789abcdeffedcba9876543210'
  const sent = keyOf('11112222333344445555666677778888')
  const keys = new NetworkKeys(services, NETWORK.name, zoneKeyText(zmk))
  const use = await keys.claim()
  if (use === undefined) throw new Error('no key was asked for')
  const key = new TdesKey(keyOf(zmk)).encrypt(sent.reveal()).toString('hex').toUpperCase()
  if (!(await keys.take({ key, check_value: checkValueOf(new TdesKey(sent)), use }))) {
    throw new Error('the key was refused')
  }
}

const PROCESS = newId()

/** A connection of the network, as the heartbeat of a process reports it. */
export async function recordLines({ db }: World): Promise<void> {
  // Opened so shortly ago that it is of the beginning of the story, however fast that came here.
  const line = { address: '192.0.2.1:9100', signed_on: true, open_ms: 10_000, silent_ms: 2_000 }
  const state = { name: NETWORK.name, lines: [line], mac_failures: 1, refused: 3 }
  await upsertLines(db, PROCESS, [state])
}
