/** A bureau for tests: a folder, and GnuPG with the keys of both sides. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { World } from '../world.ts'

/** Known to tests: mailers are encrypted under it. */
export const ZPK = 'A1B2C3D4E5F60718293A4B5C6D7E8F90'

export type TestBureau = {
  folder: string
  env: Record<string, string>
  /** The names of whole files of orders, in the order of their names. */
  files: () => string[]
  /** The text that GnuPG prints of a file, once it has verified our signature. */
  decrypt: (path: string) => string
  /** The records of all files. */
  records: () => Record<string, string>[]
  recordsIn: typeof recordsIn
  /** Another key of OpenPGP, armored: public and private. */
  makeKey: (name: string) => { public_key: string; private_key: string }
  [Symbol.dispose]: () => void
}

export function openBureau(): TestBureau {
  const place = mkdtempSync(join(tmpdir(), 'bur-'))
  const folder = mkdtempSync(join(place, 'orders-'))
  const home = mkdtempSync(join(place, 'gpg-'))
  const gpg = (...args: string[]) =>
    execFileSync('gpg', ['--homedir', home, '--batch', '--quiet', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const makeKey = (name: string) => {
    gpg(
      '--passphrase',
      '',
      '--quick-gen-key',
      `${name} <${name}@test.example>`,
      'default',
      'default',
    )
    const own = ['--armor', '--pinentry-mode', 'loopback', '--passphrase', '']
    return {
      public_key: gpg(...own, '--export', `${name}@test.example`),
      private_key: gpg(...own, '--export-secret-keys', `${name}@test.example`),
    }
  }
  const [bureau, bank] = [makeKey('bureau'), makeKey('bank')]
  const decrypt = (path: string) => {
    const args = ['--homedir', home, '--batch', '--status-fd', '2', '--decrypt', path]
    const { status, stdout, stderr } = spawnSync('gpg', args, { maxBuffer: 64 * 1024 * 1024 })
    if (status !== 0) throw new Error(`gpg ends with ${status}: ${stderr.toString()}`)
    for (const sign of ['[GNUPG:] GOODSIG', '[GNUPG:] DECRYPTION_OKAY']) {
      if (!stderr.includes(sign)) throw new Error(`gpg does not say ${sign}`)
    }
    return stdout.toString('utf8')
  }
  const files = () =>
    readdirSync(folder)
      .filter((name) => /^cards-.*\.pgp$/.test(name))
      .sort()
  return {
    folder,
    env: {
      BUREAU_NAME: 'maker',
      BUREAU_FOLDER: folder,
      BUREAU_PGP_KEY: bureau.public_key,
      BUREAU_SIGNING_KEY: bank.private_key,
      BUREAU_ZPK: ZPK,
    },
    files,
    decrypt,
    records: () => files().flatMap((name) => recordsIn(decrypt(join(folder, name)))),
    recordsIn,
    makeKey,
    [Symbol.dispose]() {
      spawnSync('gpgconf', ['--homedir', home, '--kill', 'gpg-agent'])
      rmSync(place, { recursive: true, force: true })
    },
  }
}

/** The members of a record of the default form, as docs/bureau.md has them. */
const MEMBERS = [
  ...['type', 'order_id', 'reason', 'pan', 'sequence_number', 'expiry', 'valid_from', 'name'],
  ...['second_line', 'service_code', 'track1', 'track2', 'icvv', 'cvv2', 'chip_profile', 'pvki'],
  ...['pvv', 'pin_block', 'carrier', 'delivery_method'],
  ...['ship', 'return'].flatMap((which) =>
    ['name', 'mobile', 'address_line1', 'address_line2', 'city', 'state', 'postal_code']
      .concat('country')
      .map((member) => `${which}_${member}`),
  ),
  'tracking',
]

/** The records of a file in clear, read by a reader of its own. */
function recordsIn(text: string): Record<string, string>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('R,'))
    .map((line) => {
      const cells = [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
        .slice(0, MEMBERS.length)
        .map(([, cell = '']) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'))
      if (cells.length !== MEMBERS.length) throw new Error(`a record has ${cells.length} members`)
      return Object.fromEntries(MEMBERS.map((name, at) => [name, cells[at] ?? '']))
    })
}

export const namesIn = (folder: string): string[] => readdirSync(folder).sort()

/** The order ids under which files have the card; two cards may end in the same four digits. */
export async function ordersOfCard({ db }: Pick<World, 'db'>, card_id: string): Promise<string[]> {
  const rows = await db
    .selectFrom('card_order_records')
    .select('id')
    .where('card_id', '=', card_id)
    .execute()
  return rows.map(({ id }) => id)
}
