/** The place of files and answers at the bureau, and the keys of both sides (D-1022, D-1023). */

import { type Static, Type } from 'typebox'
import { type Layout, layoutOf } from '#issuing/card_orders/provider.ts'
import { Hidden, Shaped, Text } from '#kit/settings/kinds.ts'
import { hostKeyOf, isHostKey, type SftpPlace, sftpAddressOf } from '#kit/settings/sftp.ts'
import { Secret } from '#lib/secret.ts'
import type { Deployment } from '../adapter.ts'

export type BureauSettings = Readonly<{
  name: string
  place: { sftp: SftpPlace } | { folder: string }
  /** The folder of answers; null is that of the files. */
  answers: string | null
  recipient: string
  signer: Secret
  passphrase: Secret | null
  zpk: Secret | null
  layout: Layout | null
}>

const isArmored = (kind: string) => (text: string) =>
  text.includes(`-----BEGIN PGP ${kind} KEY BLOCK-----`)

const ZPK = /^(?:U?[0-9A-Fa-f]{32}|S[!-~]{32,400})$/

export const variables = Type.Object({
  BUREAU_NAME: Shaped((text) => /^[a-z0-9-]{1,32}$/.test(text), {
    description: 'a name of small letters, digits and hyphens',
    remedy: 'change it or leave it out for bureau',
  }),
  BUREAU_SFTP: Shaped((text) => sftpAddressOf(text) !== undefined, {
    description: 'an address of SFTP with its user and folder, as sftp://bank@host:22/orders',
    remedy: 'change it or leave it out',
  }),
  BUREAU_SFTP_HOST_KEY: Shaped(isHostKey, {
    description: 'the fingerprint of a host key, SHA256:…',
    remedy: 'write what ssh-keygen -lf prints of the host key',
  }),
  BUREAU_SFTP_KEY: Hidden,
  BUREAU_SFTP_PASSWORD: Hidden,
  BUREAU_FOLDER: Shaped((text) => text.startsWith('/'), {
    description: 'the path of a folder, from / on',
    remedy: 'change it or leave it out',
  }),
  BUREAU_ANSWERS: Text,
  BUREAU_PGP_KEY: Shaped(isArmored('PUBLIC'), {
    description: 'a public key of OpenPGP, armored',
    remedy: 'write what gpg --armor --export prints',
    writeOnly: true,
    inFile: true,
  }),
  BUREAU_SIGNING_KEY: Shaped(isArmored('PRIVATE'), {
    description: 'a private key of OpenPGP, armored',
    remedy: 'write what gpg --armor --export-secret-keys prints',
    writeOnly: true,
    inFile: true,
  }),
  BUREAU_SIGNING_PASSPHRASE: Hidden,
  BUREAU_ZPK: Shaped((text) => ZPK.test(text), {
    description: 'a TDES key of 32 hex digits, or U… or S… as the security module shows it',
    remedy: 'change it, or leave it out where no product has PIN mailers',
    writeOnly: true,
    inFile: true,
  }),
  BUREAU_LAYOUT: Type.Optional(Type.String({ inFile: true })),
})
type Values = Static<typeof variables>

/** Undefined without a place. The others are then faults, since they would have no effect. */
export function settingsOf(values: Values, { faults }: Deployment): BureauSettings | undefined {
  const place = placeOf(values, faults)
  if (place === undefined) return undefined
  const { BUREAU_PGP_KEY: recipient, BUREAU_SIGNING_KEY: signer } = values
  for (const name of ['BUREAU_PGP_KEY', 'BUREAU_SIGNING_KEY'] as const) {
    if (values[name] === undefined) {
      faults.push(`${name} is missing: files of cards are encrypted and signed, set ${name}_FILE`)
    }
  }
  const layout = values.BUREAU_LAYOUT === undefined ? null : layoutOf(values.BUREAU_LAYOUT)
  if (layout && 'fault' in layout) {
    faults.push(`BUREAU_LAYOUT is wrong: ${layout.fault}: see docs/bureau.md`)
    return undefined
  }
  if (recipient === undefined || signer === undefined) return undefined
  return Object.freeze({
    name: values.BUREAU_NAME ?? 'bureau',
    place,
    answers: values.BUREAU_ANSWERS ?? null,
    recipient,
    signer: new Secret(signer),
    passphrase: secretOf(values.BUREAU_SIGNING_PASSPHRASE),
    zpk: secretOf(values.BUREAU_ZPK),
    layout: layout?.layout ?? null,
  })
}

const secretOf = (text: string | undefined) => (text === undefined ? null : new Secret(text))

function placeOf(values: Values, faults: string[]): BureauSettings['place'] | undefined {
  const { BUREAU_SFTP, BUREAU_FOLDER } = values
  if (BUREAU_SFTP !== undefined && BUREAU_FOLDER !== undefined) {
    faults.push('BUREAU_SFTP and BUREAU_FOLDER are both set: set one')
    return undefined
  }
  if (BUREAU_FOLDER !== undefined) return { folder: BUREAU_FOLDER }
  const sftp = BUREAU_SFTP === undefined ? undefined : sftpOf(BUREAU_SFTP, values, faults)
  if (sftp) return { sftp }
  const lonely = Object.entries(values).find(([, value]) => value !== undefined)?.[0]
  if (BUREAU_SFTP === undefined && lonely !== undefined) {
    faults.push(`${lonely} is set and no place of the bureau is: set BUREAU_SFTP or BUREAU_FOLDER`)
  }
  return undefined
}

function sftpOf(text: string, values: Values, faults: string[]): SftpPlace | undefined {
  const address = sftpAddressOf(text)
  const { BUREAU_SFTP_HOST_KEY: host_key, BUREAU_SFTP_KEY, BUREAU_SFTP_PASSWORD } = values
  if (host_key === undefined) {
    faults.push('BUREAU_SFTP_HOST_KEY is missing: no file goes to a host that is not known by it')
  }
  if ((BUREAU_SFTP_KEY === undefined) === (BUREAU_SFTP_PASSWORD === undefined)) {
    faults.push('BUREAU_SFTP needs either BUREAU_SFTP_KEY or BUREAU_SFTP_PASSWORD')
    return undefined
  }
  if (address === undefined || host_key === undefined) return undefined
  return Object.freeze({
    ...address,
    host_key: hostKeyOf(host_key),
    key: secretOf(BUREAU_SFTP_KEY),
    password: secretOf(BUREAU_SFTP_PASSWORD),
  })
}
