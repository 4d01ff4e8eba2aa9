/** Places of files by SFTP, as settings name them. */

import type { Secret } from '#lib/secret.ts'

export type SftpAddress = Readonly<{ host: string; port: number; user: string; folder: string }>

/** An address, the only host key that is accepted, and one of a private key and a password. */
export type SftpPlace = SftpAddress &
  Readonly<{
    /** `SHA256:…`, as ssh-keygen prints it. */
    host_key: string
    key: Secret | null
    password: Secret | null
  }>

const PORT = 22

/** `sftp://user@host:22/folder`, without a password; undefined for any other text. */
export function sftpAddressOf(text: string): SftpAddress | undefined {
  const url = URL.parse(text)
  if (url?.protocol !== 'sftp:' || url.hostname === '' || url.username === '') return undefined
  if (url.password !== '' || url.search !== '' || url.hash !== '') return undefined
  if (url.pathname.length <= 1) return undefined
  const [user, path] = [decoded(url.username), decoded(url.pathname)]
  if (user === undefined || path === undefined) return undefined
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORT : Number(url.port),
    user,
    folder: path.replace(/(?<=.)\/$/, ''),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

export const isHostKey = (text: string): boolean => /^SHA256:[A-Za-z0-9+/]{43}=?$/.test(text)

/** Without padding. */
export const hostKeyOf = (text: string): string => text.replace(/=$/, '')
